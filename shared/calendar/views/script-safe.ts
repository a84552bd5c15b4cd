/** Writes JSON that may stand as it is in a script element of a page, which is where linked data goes: nothing in it ends the element. */
export function scriptSafe(view: object): string {
  return JSON.stringify(view).replaceAll('<', '\\u003c');
}
