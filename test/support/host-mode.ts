/**
 * The modes in which the API suite runs: TEST_FLEX=true as on Flex Consumption, TEST_HTTP_STREAMING=true with HTTP streams.
 * Without them, as a host outside of Azure and without streams.
 */
export const hostMode = {
  flex: process.env['TEST_FLEX'] === 'true',
  settings: { HTTP_STREAMING: process.env['TEST_HTTP_STREAMING'] ?? 'false' },
};
