import { expect, test } from 'vitest';
import { descriptionText } from '../../../../../../functions/calendar/model/text/description-text.ts';

test.each([
  ['one', 'one'],
  ['one \t two\u200b  three', 'one two three'],
  ['  one  \n\t two\r\nthree ', 'one\ntwo\nthree'],
  ['one\n\ntwo', 'one\n\ntwo'],
  ['one &amp; two', 'one & two'],
  ['one <b>two</b>\nthree', 'one two\nthree'],
  ['<em>one</em>  two \n three', 'one two\nthree'],
  ['<p>one\ntwo</p><p>three</p>', 'one two\n\nthree'],
  ['one<br>two', 'one\ntwo'],
  ['<h2>One</h2>two', 'One\n\ntwo'],
  ['<p>One<img src="https://example.org/a.png" alt="picture"></p>', 'One'],
  ['<p><a href="https://example.org/">https://example.org/</a></p>', 'https://example.org/'],
  ['<p><a href="https://example.org/">here</a></p>', 'here (https://example.org/)'],
  [`<p>${'word '.repeat(40)}end</p>`, `${'word '.repeat(40)}end`],
])('descriptionText() makes %j to %j', (html, text) => {
  expect(descriptionText(html)).toBe(text);
});
