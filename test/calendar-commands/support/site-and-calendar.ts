/** A site, and a calendar that imports it. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { importCommand } from '../../../scripts/calendar/import/command.ts';
import { defaultLimits, type Limits } from '../../../scripts/calendar/import/limits.ts';
import { openTarget } from '../../../scripts/calendar/import/target.ts';
import { readConfig } from '../../../shared/config.ts';
import { newCalendar } from '../../support/calendar-log.ts';
import { connectionStringOfTables, localBlobs } from '../../support/shared-emulators.ts';
import { save } from './as-editor.ts';
import { type OldSite, startOldSite } from './old-site.ts';

const sites: OldSite[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.stop()));
});

/** Starts a site, and creates a calendar with a function that imports it. */
export async function siteAndCalendar() {
  const site = await startOldSite();
  sites.push(site);
  const config = readConfig({
    CALENDAR_SITE_URL: 'https://new.example.org',
    CALENDAR_TIME_ZONE: 'Europe/Copenhagen',
    CALENDAR_BLOB_CONNECTION_STRING: localBlobs(),
    CALENDAR_BLOB_CONTAINER: `pictures-${randomUUID().slice(0, 8)}`,
  });
  const settings = newCalendar(connectionStringOfTables());
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  return {
    site,
    folder,
    async import(options: Partial<Parameters<typeof importCommand>[2]> = {}, limits: Partial<Limits> = {}) {
      const output: string[] = [];
      const outcome = await importCommand(site.url, await openTarget(config, settings), {
        isDryRun: false,
        say: (line: string) => output.push(line),
        wait: async () => {},
        folder,
        limits: { ...defaultLimits, ...limits },
        ...options,
      });
      return { outcome, output: output.join('\n') };
    },
    /** Returns the views of all events by id. */
    async events() {
      const target = await openTarget(config, settings);
      const records = await target.records();
      const views = records.flatMap(({ kind, id }) =>
        kind === 'event' ? [[id, target.view('event', id)] as const] : [],
      );
      target.close();
      return new Map(views);
    },
    /** Creates an event, venue or organizer here, as an editor does, or updates that with an id. */
    async save(...words: Parameters<typeof save> extends [unknown, ...infer Rest] ? Rest : never) {
      const target = await openTarget(config, settings);
      await target.records();
      await save(target, ...words);
      target.close();
    },
    async records() {
      const target = await openTarget(config, settings);
      const records = await target.records();
      target.close();
      return records;
    },
  };
}
