/** Addresses in HTML that is read elsewhere than on the page of its record, as in feeds and files of calendar programs. */

const tag = /<[a-z][^<>]*>/gi;
const oneAddress = /(?<=\s(?:href|src|poster|cite)=")[^"]*(?=")/gi;
const severalAddresses = /(?<=\ssrcset=")[^"]*(?=")/gi;
const hasScheme = /^[a-z][a-z0-9+.-]*:/i;

/** Returns HTML whose links and pictures have whole addresses: those without a scheme or host are read as on the page `base`. */
export function withAbsoluteAddresses(html: string, base: string): string {
  if (!html.includes('="')) return html;
  return html.replace(tag, (element) =>
    element
      .replace(oneAddress, (address) => absolute(address, base))
      .replace(severalAddresses, (addresses) =>
        addresses.replace(/(?<=^\s*|,\s+)[^\s,]\S*/g, (address) => absolute(address, base)),
      ),
  );
}

function absolute(address: string, base: string): string {
  const text = address.trim().replace(/&(?:amp|#0?38);/g, '&');
  if (text === '' || hasScheme.test(text) || !URL.canParse(text, base)) return address;
  return new URL(text, base).href.replaceAll('&', '&amp;');
}
