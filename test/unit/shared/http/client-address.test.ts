import { expect, test } from 'vitest';
import { clientAddress } from '../../../../shared/http/request-context.ts';

const addressOf = (forwarded: string | undefined, proxies: number) =>
  clientAddress(new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }), proxies);

test.each<[string, forwarded: string | undefined, proxies: number, address: string | undefined]>([
  ['no proxy is trusted', '192.0.2.1', 0, undefined],
  ['the header is missing', undefined, 1, undefined],
  ['the proxy wrote it', '192.0.2.1', 1, '192.0.2.1'],
  ['the client made up more', '198.51.100.7, 192.0.2.1', 1, '192.0.2.1'],
  ['there are two proxies', '198.51.100.7, 192.0.2.1, 203.0.113.5:4711', 2, '192.0.2.1'],
  ['one of two proxies is missing', '192.0.2.1', 2, undefined],
  ['it has a port', '192.0.2.1:50321', 1, '192.0.2.1'],
  ['it is no address', 'unknown', 1, undefined],
  ['it is empty', ',', 1, undefined],
  ['it is IPv6', '2001:db8:1:2:3:4:5:6', 1, '2001:db8:1:2::/64'],
  ['it is IPv6 with a port', '[2001:DB8:1:2::9]:443', 1, '2001:db8:1:2::/64'],
  ['it is IPv6 with leading zeros', '2001:0db8:0001:0002::1', 1, '2001:db8:1:2::/64'],
  ['it is a short IPv6', '2001:db8::1', 1, '2001:db8:0:0::/64'],
  ['it is the loopback', '::1', 1, '0:0:0:0::/64'],
  ['it is an IPv6 with zeros far behind', '2001:db8:1::3:4:5:6', 1, '2001:db8:1:0::/64'],
  ['it is an IPv6 with one zero in front', '1::2:3:4:5:6:7', 1, '1:0:2:3::/64'],
  ['it is IPv4 within IPv6, in capitals', '::FFFF:192.0.2.1', 1, '192.0.2.1'],
  ['it is IPv4 within IPv6', '::ffff:192.0.2.1', 1, '192.0.2.1'],
])('clientAddress() where %s', (_, forwarded, proxies, address) => {
  expect(addressOf(forwarded, proxies)).toBe(address);
});
