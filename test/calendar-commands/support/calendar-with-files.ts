/** A calendar, with the commands that import files into it and export it. */

import { mkdtempSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportCalendar } from '../../../scripts/calendar/export.ts';
import { importCommand } from '../../../scripts/calendar/import/command.ts';
import { defaultLimits, type Limits } from '../../../scripts/calendar/import/limits.ts';
import { openTarget, type Target } from '../../../scripts/calendar/import/target.ts';
import { readConfig } from '../../../shared/config.ts';
import { newCalendar } from '../../support/calendar-log.ts';
import { connectionStringOfTables } from '../../support/shared-emulators.ts';

const config = readConfig({
  CALENDAR_SITE_URL: 'https://new.example.org',
  CALENDAR_TIME_ZONE: 'Europe/Copenhagen',
});

/** Creates a calendar, with commands for it. */
export function calendarWithFiles() {
  const settings = newCalendar(connectionStringOfTables());
  const folder = mkdtempSync(join(tmpdir(), 'files-'));
  const open = () => openTarget(config, settings);
  return {
    settings,
    open,
    path: (name: string) => join(folder, name),
    /** Writes a file where there is a text, and imports the file. Returns the output. */
    async import(
      name: string,
      text: string | Uint8Array | undefined,
      isDryRun = false,
      limits: Partial<Limits> = {},
    ): Promise<string> {
      const output: string[] = [];
      if (text !== undefined) await writeFile(join(folder, name), text);
      await importCommand(join(folder, name), await open(), {
        isDryRun,
        say: (line) => output.push(line),
        folder,
        limits: { ...defaultLimits, ...limits },
      });
      return output.join('\n');
    },
    async export(name: string): Promise<string> {
      await exportCalendar(join(folder, name), await open());
      return await readFile(join(folder, name), 'utf8');
    },
    /** Returns all records as they are stored. */
    async stored() {
      const target = await open();
      const records = structuredClone(await target.records());
      target.close();
      return records;
    },
    /** Returns the views of all events. */
    async records() {
      const target: Target = await open();
      const records = await target.records();
      const views = records.flatMap(({ kind, id }) =>
        kind === 'event' ? [target.view('event', id) ?? {}] : [],
      );
      target.close();
      return views;
    },
    /** Returns the views of all events by title. */
    async events() {
      return new Map((await this.records()).map((view) => [String(view['title']), view]));
    },
  };
}

/** Returns iCalendar with some lines between its first and its last ones. */
export const iCalendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Other//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
/** Returns the lines of an event. */
export const vevent = (uid: string, ...lines: string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20300101T000000Z',
  ...lines,
  'END:VEVENT',
];
