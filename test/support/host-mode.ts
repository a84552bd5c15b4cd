/**
 * The modes in which the API suite runs: TEST_FLEX=true as on Flex Consumption, TEST_HTTP_STREAMING=true with HTTP streams.
 * Without them, as a host outside of Azure and without streams.
 */

const isOn = (name: string) => process.env[name] === 'true';

export const hostMode = {
  flex: isOn('TEST_FLEX'),
  streams: isOn('TEST_HTTP_STREAMING'),
  settings: { HTTP_STREAMING: String(isOn('TEST_HTTP_STREAMING')) },
};
