/**
 * The modes in which the API suite runs: TEST_FLEX=true as on Flex Consumption, TEST_HTTP_STREAMING=true with HTTP streams,
 * TEST_BASE_PATH=/svc/v1 (or / for none) under another base path. Without them, as a host outside of Azure, without streams, under /api.
 */

const isOn = (name: string) => process.env[name] === 'true';

export const hostMode = {
  flex: isOn('TEST_FLEX'),
  streams: isOn('TEST_HTTP_STREAMING'),
  settings: {
    HTTP_STREAMING: String(isOn('TEST_HTTP_STREAMING')),
    CALENDAR_SITE_URL: 'https://calendar.example.org',
    // Some files want these, and no other notices.
    CALENDAR_BASIC: 'true',
    TRUST_FORWARDED_HEADERS: 'true',
    SERVICE_API_BASE_URL: process.env['TEST_BASE_PATH'] ?? '/api',
  },
};
