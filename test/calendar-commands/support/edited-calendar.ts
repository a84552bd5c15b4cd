/** A calendar that follows a site, and that people edit: before an import, after it, and between two of its decisions. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../../../functions/calendar/log/open-log.ts';
import type { EventRecord } from '../../../functions/calendar/model/records.ts';
import { siteOf } from '../../../functions/calendar/model/site.ts';
import type { TermKind } from '../../../functions/calendar/model/values.ts';
import { Calendar } from '../../../functions/calendar/operations/calendar.ts';
import { importCommand } from '../../../scripts/calendar/import/command.ts';
import type { Draft } from '../../../scripts/calendar/import/draft.ts';
import { openTarget, type Target } from '../../../scripts/calendar/import/target.ts';
import { readConfig } from '../../../shared/config.ts';
import { newCalendar } from '../../support/calendar-log.ts';
import { connectionStringOfTables, localBlobs } from '../../support/shared-emulators.ts';

type Fields = Readonly<Record<string, unknown>>;

export type EditedCalendar = ReturnType<typeof editedCalendar>;

/** Creates an empty calendar into which a site is imported, while people edit it. */
export function editedCalendar(siteUrl: string) {
  const settings = newCalendar(connectionStringOfTables());
  const config = readConfig({
    CALENDAR_SITE_URL: 'https://new.example.org',
    CALENDAR_BLOB_CONNECTION_STRING: localBlobs(),
    CALENDAR_BLOB_CONTAINER: `pictures-${randomUUID().slice(0, 8)}`,
  });
  const app = new Calendar({
    site: siteOf('https://new.example.org', 'UTC'),
    openLog: (replica) => openLog(settings, { replica }),
  });
  const request = (parameters: Fields, language?: 'sv' | 'da') => ({
    caller: { role: 'editor', subject: 'person' } as const,
    siteUrl: '',
    root: 'http://localhost',
    language,
    parameters,
  });
  return {
    app,
    open: () => openTarget(config, settings),
    update: (id: number, fields: Fields, language?: 'sv' | 'da') =>
      app.update('event', { id }, request(fields, language)),
    updateCategory: (id: number, fields: Fields, language?: 'sv' | 'da') =>
      app.update('category', { id }, request(fields, language)),
    deleteTerm: (kind: TermKind, id: number) => app.delete(kind, { id }, request({})),
    describe: (id: number, fields: Fields) => app.pictures.update(id, request(fields)),
    trash: (id: number) => app.delete('event', { id }, request({})),
    create: (fields: Fields) => app.create('event', request(fields)),
    /** Imports; `before` runs before each decision, and gets its number. */
    async import(
      options: Partial<Parameters<typeof importCommand>[2]> = {},
      before: (decision: number) => Promise<unknown> = async () => {},
    ): Promise<string> {
      const output: string[] = [];
      const target = await openTarget(config, settings);
      let count = 0;
      const decide = async <T>(decision: (draft: Draft) => T): Promise<T> => {
        await before(count);
        count += 1;
        return await target.decide(decision);
      };
      await importCommand(
        siteUrl,
        { ...target, decide },
        {
          isDryRun: false,
          say: (line) => output.push(line),
          wait: async () => {},
          folder: mkdtempSync(join(tmpdir(), 'interleaved-')),
          ...options,
        },
      );
      return output.join('\n');
    },
    async event(id: number): Promise<EventRecord> {
      return await this.query(({ replica }) => {
        const event = replica.posts.event.get(id)?.record;
        if (event === undefined) throw new TypeError(`There is no event ${id}.`);
        return event;
      });
    },
    async query<T>(select: (target: Target) => T): Promise<T> {
      const target = await openTarget(config, settings);
      await target.records();
      const value = select(target);
      target.close();
      return value;
    },
  };
}
