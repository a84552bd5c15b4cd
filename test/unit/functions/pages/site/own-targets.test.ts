import { expect, test } from 'vitest';
import { withOwnTargets } from '../../../../../functions/pages/site/views/own-targets.ts';

test.each([
  [
    '<h2 id="menu">M</h2><a class="b" href="#menu">up</a>',
    '<h2 id="text-menu">M</h2><a class="b" href="#text-menu">up</a>',
  ],
  ['<a name="x"></a>', '<a name="text-x"></a>'],
  ['<a href="https://example.org/#a">x</a>', '<a href="https://example.org/#a">x</a>'],
  ['<a href="#">top</a> id="x" href="#x"', '<a href="#">top</a> id="x" href="#x"'],
  [
    '<p title=" id=&quot;x&quot;">&lt;h2 id="a"&gt;</p>',
    '<p title=" id=&quot;x&quot;">&lt;h2 id="a"&gt;</p>',
  ],
])('of %s the ids and the links to them are %s', (html, expected) => {
  expect(withOwnTargets(html)).toBe(expected);
});
