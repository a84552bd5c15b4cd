/** The pictures of the sample calendar: uploaded like those of any client, and shown by the events of some titles. */

import { drawPicture, type Scene } from './draw-picture.ts';

interface SamplePicture {
  readonly file: string;
  readonly alt_text: string;
  readonly scene: Scene;
  /** Titles of the events that show it. */
  readonly titles: readonly string[];
}

const pictures: readonly SamplePicture[] = [
  {
    file: 'harbour-at-dusk.png',
    alt_text: 'Hills above the harbour at dusk',
    scene: {
      sky: [
        [38, 54, 110],
        [246, 178, 120],
      ],
      hills: [20, 40, 48],
      seed: 3,
    },
    titles: ['Jazz at the Harbour', 'Midnight market'],
  },
  {
    file: 'morning-park.png',
    alt_text: 'The park on a bright morning',
    scene: {
      sky: [
        [120, 180, 230],
        [250, 240, 205],
      ],
      hills: [46, 104, 62],
      seed: 8,
    },
    titles: ['Yoga in the park', 'City run'],
  },
  {
    file: 'northern-sea.png',
    alt_text: 'Cliffs by the northern sea',
    scene: {
      sky: [
        [70, 110, 140],
        [205, 225, 230],
      ],
      hills: [18, 52, 80],
      seed: 5,
    },
    titles: ['Whales of the North', 'Nordic film night'],
  },
  {
    file: 'evening-snow.png',
    alt_text: 'Snow on the hills in the evening',
    scene: {
      sky: [
        [92, 74, 120],
        [240, 214, 214],
      ],
      hills: [62, 66, 98],
      seed: 11,
    },
    titles: ['Letters from the archive', 'Evensong'],
  },
];

/** An upload; undefined where the app has no place for pictures. */
export type Upload = (body: FormData) => Promise<{ readonly id: number } | undefined>;

/** Uploads the pictures. Returns their ids by the titles of the events that show them. */
export async function uploadPictures(upload: Upload): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const { file, alt_text, scene, titles } of pictures) {
    const form = new FormData();
    form.set('alt_text', alt_text);
    form.set('file', new Blob([drawPicture(scene)], { type: 'image/png' }), file);
    const picture = await upload(form);
    if (picture === undefined) return ids;
    for (const title of titles) ids.set(title, picture.id);
  }
  return ids;
}
