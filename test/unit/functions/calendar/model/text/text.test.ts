import { beforeAll, describe, expect, test } from 'vitest';
import { fileNameOf } from '../../../../../../functions/calendar/model/text/file-name.ts';
import {
  contactLine,
  escapedLine,
  escapedText,
  loadSanitizer,
  sanitizeDescription,
  sanitizeInline,
} from '../../../../../../functions/calendar/model/text/html.ts';
import { plainText } from '../../../../../../functions/calendar/model/text/plain-text.ts';
import {
  paragraphs,
  renderTitle,
  typographic,
} from '../../../../../../functions/calendar/model/text/render-text.ts';
import {
  restoredSlug,
  slugOf,
  trashedSlug,
  uniquePostSlug,
  uniqueSlug,
} from '../../../../../../functions/calendar/model/text/slug.ts';
import { anyText, fc } from '../../../../../support/properties.ts';

beforeAll(loadSanitizer);

describe('slugOf()', () => {
  test('makes titles to slugs', () => {
    const rows = [
      ['My Slug!!', 'my-slug'],
      ['Tom & "Jerry" it\'s', 'tom-jerry-its'],
      ['Tom &amp; Jerry', 'tom-jerry'],
      ['Ärger Øre Łódź ñ æ œ', 'arger-ore-lodz-n-ae-oe'],
      ['Straße', 'strase'],
      ['<b>x</b> y', 'x-y'],
      ['a_b/c.d--e', 'a_b-c-d-e'],
      ['100% sure', '100-sure'],
      ['日本', '%e6%97%a5%e6%9c%ac'],
      ['%e6%97%a5', '%e6%97%a5'],
      ['Jazz 🎷', 'jazz-%f0%9f%8e%b7'],
      ['3 × 4 – for €5, or £4', '3-x-4-for-e5-or-4'],
      ['“Quoted” ‘so’ … «too»™', 'quoted-so-too'],
      ['soft\u00adhyphen zero\u200bwidth', 'softhyphen-zerowidth'],
      ['!!!', ''],
      ['- both ends -', 'both-ends'],
      ['--', ''],
    ] as const;
    expect(rows.map(([title]) => [title, slugOf(title)])).toEqual(rows);
  });

  test('cuts to 200 bytes between characters', () => {
    expect(slugOf('日本語'.repeat(30))).toBe(
      encodeURIComponent('日本語'.repeat(30)).toLowerCase().slice(0, 198),
    );
    expect(slugOf('a'.repeat(300))).toBe('a'.repeat(200));
  });

  test('is stable, short and safe in an address for any text', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (text) => {
        const slug = slugOf(text);
        expect(slug).toMatch(/^[a-z0-9_%-]{0,200}$/);
        expect(slugOf(slug)).toBe(slug);
      }),
    );
  });
});

describe('uniqueSlug()', () => {
  test('finds the number behind those that are taken in few steps', () => {
    for (const count of [100, 101, 102, 199, 200, 201, 5_000, 100_000]) {
      let asked = 0;
      const found = uniqueSlug('a', (slug) => {
        asked += 1;
        return slug === 'a' || Number(slug.slice(2)) <= count;
      });
      expect(found, `${count} taken`).toBe(`a-${count + 1}`);
      expect(asked, `${count} taken`).toBeLessThan(150);
    }
  });

  const isTaken =
    (...slugs: string[]) =>
    (slug: string) =>
      slugs.includes(slug);

  test('keeps a free slug and numbers a taken one from 2', () => {
    expect(uniqueSlug('a', isTaken('b'))).toBe('a');
    expect(uniqueSlug('a', isTaken('a'))).toBe('a-2');
    expect(uniqueSlug('a', isTaken('a', 'a-2', 'a-3'))).toBe('a-4');
  });

  test('numbers the reserved words of pages at once', () => {
    for (const word of ['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed'])
      expect(uniquePostSlug(word, isTaken())).toBe(`${word}-2`);
    expect(uniquePostSlug('embed', isTaken('embed-2'))).toBe('embed-3');
    expect(uniqueSlug('feed', isTaken())).toBe('feed');
  });

  test('leaves room for the number', () => {
    expect(uniqueSlug('a'.repeat(200), isTaken('a'.repeat(200)))).toBe(`${'a'.repeat(198)}-2`);
  });

  test('goes into the trash with a suffix and comes back without', () => {
    expect(trashedSlug('a')).toBe('a__trashed');
    expect(trashedSlug('a'.repeat(200))).toBe(`${'a'.repeat(191)}__trashed`);
    expect(restoredSlug('a__trashed')).toBe('a');
    expect(restoredSlug('a__trashed-2')).toBe('a');
  });
});

describe('fileNameOf()', () => {
  test.each([
    ['concert.2027.jpg', 'concert.2027.png'],
    ['C:\\Pictures\\Ærø 1.jpeg', 'AEro-1.png'],
    ['../a..b.jpg', 'a-b.png'],
    ['.htaccess', 'picture.png'],
    ['日本.jpg', 'picture.png'],
    [`${'x'.repeat(99)} - 1.jpg`, `${'x'.repeat(99)}.png`],
  ])('of %s is %s', (name, fileName) => {
    expect(fileNameOf(name, 'png')).toBe(fileName);
  });

  test.each(['hall.jpg', 'hall.jpeg', 'HALL.JPG', 'Hall.Jpeg'])('keeps the extension of %s', (name) => {
    expect(fileNameOf(name, 'jpg')).toBe(name);
    expect(fileNameOf(name, 'png')).toBe(name.replace(/\.\w+$/, '.png'));
  });
});

describe('renderTitle()', () => {
  test('renders quotes, dashes and ampersands', () => {
    const rows = [
      [' Rock & Roll ', 'Rock &#038; Roll'],
      ['Rock &amp; Roll', 'Rock &#038; Roll'],
      ['say "hi"', 'say &#8220;hi&#8221;'],
      ["it's", 'it&#8217;s'],
      ["'tis 'quoted'", '&#8216;tis &#8216;quoted&#8217;'],
      ['<b class="x">q</b> &lt; &copy;', '<b class="x">q</b> &lt; &copy;'],
      ['and so on...', 'and so on&#8230;'],
      ['Jazz - live -- now', 'Jazz &#8211; live &#8212; now'],
      ['a--b---c well-known', 'a&#8211;b&#8212;c well-known'],
      ['4x400 x2 0x1', '4&#215;400 x2 0x1'],
      ['<i title="a - b">x</i> - y', '<i title="a - b">x</i> &#8211; y'],
    ] as const;
    expect(rows.map(([title]) => [title, renderTitle(title)])).toEqual(rows);
  });
});

describe('typographic()', () => {
  test('leaves tags and code alone', () => {
    const rows = [
      [
        '<p class="a--b">"Rock & Roll" - it\'s <b>4x4</b>...</p>',
        '<p class="a--b">&#8220;Rock &#038; Roll&#8221; &#8211; it&#8217;s <b>4&#215;4</b>&#8230;</p>',
      ],
      [
        '<pre>"a" -- <code>b...</code> \'c\'</pre> "d"',
        '<pre>"a" -- <code>b...</code> \'c\'</pre> &#8220;d&#8221;',
      ],
      ['&#8217;&copy;&lt;', '&#8217;&copy;&lt;'],
    ] as const;
    expect(rows.map(([html]) => [html, typographic(html)])).toEqual(rows);
  });
});

describe('paragraphs()', () => {
  test('makes lines and blocks to paragraphs', () => {
    const rows = [
      ['First\n\nSecond\nline', '<p>First</p>\n<p>Second<br />\nline</p>'],
      ['plain', '<p>plain</p>'],
      ['a\r\nb', '<p>a<br />\nb</p>'],
      ['a<br />\nb', '<p>a<br />\nb</p>'],
      ['<p>done</p>', '<p>done</p>'],
      ['<ul>\n<li>a</li>\n</ul>\nafter', '<ul>\n<li>a</li>\n</ul>\n<p>after</p>'],
      ['a<hr />b', '<p>a</p>\n<hr />\n<p>b</p>'],
      [
        'a\n<div>b\n\nc<div>d</div></div>\ne\n\n\nf',
        '<p>a</p>\n<div>b\n\nc\n<div>d</div>\n</div>\n<p>e</p>\n<p>f</p>',
      ],
      ['a<br /><br>b', '<p>a</p>\n<p>b</p>'],
      ['<ul><li>a</li><li>b <b>c</b></li></ul>', '<ul>\n<li>a</li>\n<li>b <b>c</b></li>\n</ul>'],
      ['<ul><li>a<ol><li>b</li></ol></li></ul>', '<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>'],
      ['<table><tr><td>1</td></tr></table>', '<table>\n<tr>\n<td>1</td>\n</tr>\n</table>'],
      ['<blockquote>a\n\nb</blockquote>', '<blockquote><p>a</p>\n<p>b</p></blockquote>'],
      ['<blockquote class="x"><p>a</p></blockquote>', '<blockquote class="x">\n<p>a</p>\n</blockquote>'],
      ['<div><pre> a\n\n <p>b</p></pre></div>', '<div><pre> a\n\n <p>b</p></pre></div>'],
      ['', ''],
    ] as const;
    expect(rows.map(([text]) => [text, paragraphs(text)])).toEqual(rows);
  });

  test('reads a long run of blanks once', () => {
    for (const text of ['x', '<div>x</div>', '<br />x']) {
      const blanks = ' '.repeat(100_000);
      const html = paragraphs(`a${blanks}${text}`);
      expect(html, text).toContain('a');
      expect(html.length, text).toBeLessThan(100_100);
    }
  });

  test('leaves its own result alone', () => {
    const inline = ['a', 'b c', '\n', '\n\n', '<b>x</b>'];
    const blocks = ['<p>p</p>', '<hr />', '<div>d</div>', '<ul><li>l</li></ul>'];
    const piece = fc.constantFrom(...inline, ...blocks);
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const html = paragraphs(pieces.join(''));
        expect(paragraphs(html)).toBe(html);
      }),
    );
  });
});

describe('sanitizing', () => {
  test('of a description drops what could run', () => {
    const rows = [
      ['<p onclick="x()">a</p>', '<p>a</p>'],
      ['<script>alert(1)</script>b', 'alert(1)b'],
      ['<iframe src="https://example.org"></iframe>c', 'c'],
      ['<a href="javascript:x()">d</a>', '<a>d</a>'],
      ['<a href="https://example.org/?a=1&b=2">e</a>', '<a href="https://example.org/?a=1&amp;b=2">e</a>'],
      ['<img src=x onerror=y>', '<img src="x" />'],
      ['<style>p{}</style>f', 'f'],
      ['<xmp><img src=x onerror=y></xmp>', '&lt;img src=x onerror=y&gt;'],
      ['<script><img src=x onerror=y></script>', '&lt;img src=x onerror=y&gt;'],
      ['a & b < c', 'a &amp; b &lt; c'],
    ] as const;
    expect(rows.map(([raw]) => [raw, sanitizeDescription(raw)])).toEqual(rows);
  });

  test('of a description leaves its own result alone', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      'script',
      '/',
      'img',
      ' onerror=',
      '"',
      'p',
      '&lt;',
      '&amp;',
      'x',
      '!--',
      ']]>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const safe = sanitizeDescription(pieces.join(''));
        expect(sanitizeDescription(safe)).toBe(safe);
        expect(safe).not.toMatch(/<(?:script|[^>]*\sonerror)/i);
      }),
    );
  });

  test('of a title keeps simple markup only', () => {
    expect(sanitizeInline('<b>a</b> <h1>b</h1> & <i onload=x>c</i>')).toBe('<b>a</b> b &amp; <i>c</i>');
  });

  test('of a name escapes what is left', () => {
    expect(escapedText('<b>Rock</b> & Roll &amp; <')).toBe('Rock &amp; Roll &amp; &lt;');
  });

  test('of the name of a term drops scripts with what is in them, and lines', () => {
    expect(escapedLine(' Rock\n&  <b>Roll</b><script>x</script><STYLE>y</STYLE> ')).toBe('Rock &amp; Roll');
  });

  test('of a contact text drops tags and leaves & as it is', () => {
    expect(contactLine(' <b>5 & 6</b> Main Street &lt;x&gt; ')).toBe('5 & 6 Main Street &lt;x&gt;');
  });

  test('plainText() gives what a reader sees', () => {
    expect(plainText('<p>First &amp; <b>best</b></p>\n<p>Second<br />\nline</p>')).toBe(
      'First & best Second line',
    );
  });

  test('plainText() reads no text in attributes and comments', () => {
    expect(plainText('<a title="a > b">c</a><!-- <b>d</b> --> &#x1f600;&eacute;')).toBe('c \u{1f600}é');
  });

  test('plainText() reads a blank where a block begins and ends', () => {
    for (const name of [
      'p',
      'div',
      'li',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'tr',
      'td',
      'th',
      'blockquote',
      'P',
    ]) {
      expect(plainText(`a<${name} class="x">b</${name}>c`), name).toBe('a b c');
    }
  });

  test('plainText() reads a blank for a line break', () => {
    for (const tag of ['<br>', '<br/>', '<br />', '<BR>']) {
      expect(plainText(`a${tag}b`), tag).toBe('a b');
    }
  });

  test('plainText() reads nothing for inline elements', () => {
    for (const name of ['b', 'em', 'span', 'a', 'i', 'strong', 'picture', 'track', 'link', 'thing']) {
      expect(plainText(`a<${name}>b</${name}>c`), name).toBe('abc');
    }
  });
});

const nowhere = [
  ...'applet base body button canvas center embed font form frame head html iframe input link map marquee'.split(
    ' ',
  ),
  ...'math meta object param script select slot svg template track'.split(' '),
];

describe('the lists of what is kept', () => {
  test('have the elements of descriptions, with their attributes', () => {
    const html = [
      '<h2 class="c" id="i" dir="ltr" lang="da" title="t">A</h2><p>b<br />c <em>d</em> <time datetime="2030">e</time></p>',
      '<ul><li>f</li></ul><ol reversed start="3" type="a"><li>g</li></ol><hr />',
      '<blockquote cite="https://example.org/">h</blockquote><dl><dt>i</dt><dd>j</dd></dl>',
      '<table><thead><tr><th abbr="k" scope="col">k</th></tr></thead><tbody><tr><td colspan="2" rowspan="2">l</td></tr></tbody></table>',
      '<figure><img alt="m" height="1" loading="lazy" src="/m.png" srcset="/m.png 2x" width="1" /><figcaption>n</figcaption></figure>',
      '<video controls poster="/o.png" src="/o.mp4"></video><details><summary>p</summary>q</details>',
      '<a href="https://example.org/" rel="nofollow" target="_blank">r</a> <del datetime="2030">s</del>',
    ].join('');
    expect(sanitizeDescription(html)).toBe(html);
    expect(escapedText(html)).toMatch(/^A\s*b\s*c d e/);
  });

  test('have the inline elements and links in titles, and no blocks', () => {
    const html = '<b class="c">x</b> <abbr title="t">y</abbr> <a href="https://example.org/">z</a><br />';
    expect(sanitizeInline(`<div>${html}</div><img src="/m.png"><hr>`)).toBe(html);
  });

  test('have no other element', () => {
    for (const name of nowhere) {
      const html = `<${name} class="c">x</${name}>`;
      expect([sanitizeDescription(html), sanitizeInline(html)].join(''), name).not.toContain('<');
    }
  });

  test('have no other attribute', () => {
    for (const attribute of [
      'style',
      'onclick',
      'onerror',
      'onload',
      'srcdoc',
      'formaction',
      'data-x',
      'is',
      'slot',
    ]) {
      for (const name of ['a', 'blockquote', 'img', 'td', 'time', 'video'])
        expect(sanitizeDescription(`<${name} ${attribute}="x">`), attribute).not.toContain(` ${attribute}`);
    }
  });

  test('are those of each use, also in a long text that is sanitized for several', () => {
    const long = 'x'.repeat(2_000);
    const html = `<h2><b>${long}</b></h2>`;
    for (const _time of ['new', 'cached'])
      expect([sanitizeDescription(html), sanitizeInline(html), escapedText(html)]).toEqual([
        html,
        `<b>${long}</b>`,
        long,
      ]);
  });

  test('have addresses of the safe schemes', () => {
    for (const scheme of ['http:', 'https:', 'mailto:', 'tel:', '']) {
      const html = `<a href="${scheme}//x">y</a>`;
      expect(sanitizeDescription(html)).toBe(html);
    }
  });

  test('have no addresses of other schemes', () => {
    for (const scheme of [
      'javascript:',
      'data:',
      'ftp:',
      'vbscript:',
      'file:',
      'blob:',
      ' javascript:',
      'java\tscript:',
    ]) {
      for (const html of [
        `<a href="${scheme}x">y</a>`,
        `<img src="${scheme}x" />`,
        `<video poster="${scheme}x"></video>`,
      ])
        expect(sanitizeDescription(html), scheme).not.toMatch(/(?:href|src|poster)=/);
    }
  });
});
