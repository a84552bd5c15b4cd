/** What an event in a grid is, beside it while the pointer is on it or it has the focus (WCAG 2.2, 1.4.13: it stays under the pointer, and Escape closes it). */

export interface EventTip {
  readonly title: string;
  readonly lines: readonly string[];
  readonly picture?: string | undefined;
}

/** Space between an event and what is told of it, in pixels. */
const gap = 6;

const box = document.createElement('div');
box.className = 'event-tip';
box.popover = 'manual';
box.id = 'event-tip';
box.role = 'tooltip';
(document.querySelector('main') ?? document.body).append(box);

let closing: ReturnType<typeof setTimeout> | undefined;
const close = () => box.matches(':popover-open') && box.hidePopover();
/** The pointer may move from the event onto the box. */
const closeSoon = () => {
  closing = setTimeout(close, 150);
};
const keep = () => clearTimeout(closing);

box.addEventListener('pointerenter', keep);
box.addEventListener('pointerleave', closeSoon);
document.addEventListener('keydown', ({ key }) => key === 'Escape' && close());

/** Shows what an event is while its element is pointed at, or has the focus. */
export function showOnHover(element: HTMLElement, tip: EventTip): void {
  const show = () => {
    keep();
    fill(tip);
    if (!box.matches(':popover-open')) box.showPopover();
    placeBeside(element.getBoundingClientRect());
    element.setAttribute('aria-describedby', box.id);
  };
  element.addEventListener('pointerenter', ({ pointerType }) => pointerType === 'mouse' && show());
  element.addEventListener('focus', show);
  element.addEventListener('pointerleave', closeSoon);
  element.addEventListener('blur', close);
}

function fill({ title, lines, picture }: EventTip): void {
  const texts = [title, ...lines].map((text) => {
    const line = document.createElement('p');
    line.textContent = text;
    return line;
  });
  if (picture === undefined) {
    box.replaceChildren(...texts);
    return;
  }
  const image = document.createElement('img');
  Object.assign(image, { src: picture, alt: '' });
  box.replaceChildren(image, ...texts);
}

/** Places the box below an event, or above where there is no room, inside of the window. */
function placeBeside({ left, top, bottom }: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = box;
  const isBelow = bottom + gap + height <= innerHeight || top < height + gap;
  box.style.left = `${Math.max(gap, Math.min(left, innerWidth - width - gap))}px`;
  box.style.top = `${isBelow ? bottom + gap : top - height - gap}px`;
}
