import { describe, expect, test } from 'vitest';
import { outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();

/** Lines of a feed, unfolded. */
function linesOf(feed: string): string[] {
  return feed.replaceAll('\r\n ', '').split('\r\n');
}

describe('GET /events.ics', () => {
  test('gives the events of a list to calendar programs', async () => {
    const timed = await app.create('events', {
      title: 'Tom & "Jerry"; live',
      start_date: '2027-06-01 10:00:00',
      end_date: '2027-06-01 12:30:00',
      timezone: 'Europe/Copenhagen',
      date: '2026-01-02 03:04:05',
      description: 'First\n\nSecond, with a comma',
      categories: ['Rock & Roll'],
      venue: { venue: 'Hall', address: 'Road 1', city: 'Town', geo_lat: 55.5, geo_lng: 12.5 },
    });
    await app.create('events', {
      title: 'Festival',
      start_date: '2027-07-01',
      end_date: '2027-07-03',
      all_day: true,
    });
    const secret = { title: 'Secret', description: 'hidden', access_password: 'x' };
    await app.create('events', { ...secret, start_date: '2027-08-01 10:00', end_date: '2027-08-01 11:00' });
    const { status, headers, body } = await app.call('GET', '/events.ics');
    const lines = linesOf(body);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(lines.filter((line) => /^(SUMMARY|DTSTART|DTEND)/.test(line))).toEqual([
      'DTSTART:20270601T080000Z',
      'DTEND:20270601T103000Z',
      'SUMMARY:Tom & "Jerry"\\; live',
      'DTSTART;VALUE=DATE:20270701',
      'DTEND;VALUE=DATE:20270704',
      'SUMMARY:Festival',
      'DTSTART:20270801T100000Z',
      'DTEND:20270801T110000Z',
      'SUMMARY:Secret',
    ]);
    for (const line of [
      `UID:calendar.example.org?id=${timed.id}`,
      'DTSTAMP:20260102T030405Z',
      'DESCRIPTION:First Second\\, with a comma',
      'CATEGORIES:Rock & Roll',
      'GEO:55.5;12.5',
      `URL;VALUE=URI:${timed.url}`,
    ])
      expect(lines).toContain(line);
    expect(body).not.toContain('hidden');
  });

  test('takes the filters of the list', async () => {
    const { body } = await app.call('GET', '/events.ics?search=festival');
    expect(linesOf(body).filter((line) => line.startsWith('SUMMARY'))).toEqual(['SUMMARY:Festival']);
    expect(outcome(await app.call('GET', '/events.ics?venue=none'))).toEqual([400, 'rest_invalid_param']);
  });
});
