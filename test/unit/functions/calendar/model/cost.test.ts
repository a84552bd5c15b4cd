import { beforeAll, describe, expect, test } from 'vitest';
import { costTexts, readCost } from '../../../../../functions/calendar/model/cost.ts';
import { loadSanitizer } from '../../../../../functions/calendar/model/text/html.ts';

beforeAll(loadSanitizer);

type CostInput = Parameters<typeof costTexts>[0];

/** Sent, shown, symbol, position, values (docs/calendar-contract.md, "Costs"). */
const cases: readonly (readonly [CostInput, string, string, string, readonly string[]])[] = [
  ['10', '$10', '', '', ['10']],
  [10, '$10', '', '', ['10']],
  [12.5, '$12.5', '', '', ['12.5']],
  ['10.50', '$10.50', '', '', ['10.50']],
  ['$10', '$10', '$', 'prefix', ['10']],
  ['10€', '10€', '€', 'postfix', ['10']],
  ['€10', '€10', '€', 'prefix', ['10']],
  ['£5', '£5', '£', 'prefix', ['5']],
  ['$ 25.00', '$25.00', '$', 'prefix', ['25.00']],
  ['USD 10', 'USD10', 'USD', 'prefix', ['10']],
  ['10-20', '$10 – $20', '', '', ['10', '20']],
  ['10 – 20', '$10 – $20', '', '', ['10', '20']],
  ['10—20', '$10 – $20', '', '', ['10', '20']],
  ['$10 - $20', '$10 – $20', '', '', ['10', '20']],
  ['€10-€20', '€10 – €20', '€', 'prefix', ['10', '20']],
  [['$5', '$10'], '$5 – $10', '$', 'prefix', ['5', '10']],
  [['0$', '20$', '30$'], 'Free – 30$', '$', 'postfix', ['0', '20', '30']],
  ['20$', '20$', '$', 'postfix', ['20']],
  ['10-20 €', '10€ – 20€', '€', 'postfix', ['10', '20']],
  ['€10-20', '€10 – €20', '€', 'prefix', ['10', '20']],
  ['0-10', 'Free – $10', '', '', ['0', '10']],
  [['Members free', '10', '5'], '$5 – $10', '', '', ['5', '10']],
  [['Free', '10'], '$10', '', '', ['10']],
  [['5', '10'], '$5 – $10', '', '', ['5', '10']],
  [['5', '10', '5'], '$5 – $10', '', '', ['5', '10']],
  ['10 - 10', '$10', '', '', ['10']],
  [[10, '5', '7'], '$5 – $10', '', '', ['5', '7', '10']],
  ['1,000', '$1,000', '', '', ['1000']],
  ['1,234.56', '$1,234.56', '', '', ['1234.56']],
  ['1,234.567', '$1,234.567', '', '', ['1234.567']],
  ['1.000,50', '$1.000,50', '', '', ['1000.50']],
  ['0.125', '$0.125', '', '', ['0.125']],
  ['Free', 'Free', '', '', ['free']],
  ['By donation', 'By donation', '', '', ['by-donation']],
  // No character of it can stand in a slug.
  ['?!', '?!', '', '', ['?!']],
  ['Donation $5', 'Donation $5', '$', 'prefix', ['5']],
  ['2 drinks for 10 €', '2 drinks for 10 €', '€', 'postfix', ['2', '10']],
  ['100 kr', '100kr', 'kr', 'postfix', ['100']],
  ['100 kr.', '100kr.', 'kr.', 'postfix', ['100']],
  ['1-2-3', '1-2-3', '', '', ['1', '2', '3']],
  ['', '', '', '', []],
  [[], '', '', '', []],
  ['0', 'Free', '', '', ['0']],
  [0, 'Free', '', '', ['0']],
  ['0.00', 'Free', '', '', ['0']],
  ['0,00-5', 'Free – $5', '', '', ['0.00', '5']],
  ['<b>5</b>', '$5', '', '', ['5']],
];

describe('readCost()', () => {
  test('reads amounts, currencies and words', () => {
    for (const [cost, text, currency_symbol, currency_position, values] of cases) {
      expect(readCost(costTexts(cost)), String(cost)).toEqual({
        text,
        details: { currency_symbol, currency_code: '', currency_position, values },
      });
    }
  });
});
