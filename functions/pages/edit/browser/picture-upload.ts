/** Crops a picture, makes its smaller sizes, and uploads them together. */

import { sendOnce } from '../../common/browser/api-client.ts';
import { calendar, word } from '../../common/browser/session.tsx';
import type { PictureView } from '../../common/views/types.ts';
import { pictures } from './edit-data.ts';

/** A part of a picture: the ratio of its sides (0: that of the picture), and where it is, from 0 to 1. */
export interface Crop {
  readonly ratio: number;
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** A picture that a person has chosen, and that is not stored yet. */
export interface PendingPicture {
  readonly file: File;
  readonly bitmap: ImageBitmap;
  readonly crop: Crop;
  /** Text for those who do not see it. */
  readonly alt: string;
  /** Whether it shows nothing that anybody misses who does not see it, so that it has no text. */
  readonly isDecoration?: boolean;
  /** Names its upload, however often it is sent as it is. */
  readonly key: string;
  /** Name of its file. */
  readonly name: string;
  /** Names its file where the browser keeps it, whatever its crop. */
  readonly place: string;
}

/** Checks whether the value of a field is a picture that is not stored yet. */
export function isPending(value: unknown): value is PendingPicture {
  return typeof value === 'object' && value !== null && 'file' in value;
}

/** Reads a file that a person has chosen. Throws where the browser cannot read it as a picture. */
export async function openPicture(file: File): Promise<PendingPicture> {
  const bitmap = await createImageBitmap(file).catch((cause: unknown) => {
    throw new Error(word('badPicture'), { cause });
  });
  const crop = { ratio: 0, zoom: 1, x: 0.5, y: 0.5 };
  const [key, place] = [crypto.randomUUID(), crypto.randomUUID()];
  return { file, bitmap, crop, alt: '', key, name: file.name, place };
}

/** The place of chosen files until they are uploaded. */
const storeName = 'edit';

/** Stores the file of a value that is a pending picture. */
export async function storePicture(value: unknown): Promise<void> {
  if (!isPending(value)) return;
  const store = await caches.open(storeName);
  const isStored = (await store.match(`/${value.place}`)) !== undefined;
  if (!isStored) await store.put(`/${value.place}`, new Response(value.file));
}

/** Drops the file of a pending picture. */
export async function dropPicture({ place }: Pick<PendingPicture, 'place'>): Promise<void> {
  await (await caches.open(storeName)).delete(`/${place}`);
}

/** Returns a value as it was before its file was stored; what is no pending picture is returned as it is. */
export async function restorePicture(value: unknown): Promise<unknown> {
  if (!isPending(value)) return value;
  const { key, name, crop, alt, place, isDecoration = false } = value;
  const stored = await (await caches.open(storeName)).match(`/${place}`);
  if (stored === undefined) return false;
  const file = new File([await stored.blob()], name);
  return { ...(await openPicture(file)), key, crop, alt, place, isDecoration };
}

/** Widths and heights of the picture itself, at most: the first whose bytes are not too many. */
const longestSides = [2048, 1600, 1200, 800];

/** Bytes of the files of an upload, at most: the form around them counts too. */
const maxBytes = pictures.maxBytes - 64 * 1024;

/** Draws a crop into a canvas whose longer side has a length at most; a picture is not enlarged. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop, longest: number): void {
  const ratio = crop.ratio || picture.width / picture.height;
  const width = Math.min(picture.width, picture.height * ratio) / crop.zoom;
  const height = width / ratio;
  const scale = Math.min(1, longest / Math.max(width, height));
  const offset = [(picture.width - width) * crop.x, (picture.height - height) * crop.y] as const;
  draw(canvas, picture, [...offset, width, height], [width * scale, height * scale]);
}

function draw(
  canvas: HTMLCanvasElement,
  picture: CanvasImageSource,
  part: readonly [number, number, number, number],
  size: readonly [number, number],
): void {
  [canvas.width = 1, canvas.height = 1] = size.map((side) => Math.max(1, Math.round(side)));
  const context = canvas.getContext('2d');
  if (context) context.imageSmoothingQuality = 'high';
  context?.drawImage(picture, ...part, 0, 0, canvas.width, canvas.height);
}

/** Uploads a picture with its sizes; returns it as records show it. Throws a `Refusal`. */
export async function uploadPicture(picture: PendingPicture): Promise<PictureView> {
  const { file, bitmap, crop, key, isDecoration = false } = picture;
  const { name, type } = file;
  const alt = isDecoration ? '' : picture.alt;
  for (const longest of longestSides) {
    const files = await filesOf(bitmap, crop, longest, type);
    const bytes = files.reduce((sum, [, blob]) => sum + blob.size, 0);
    if (bytes > maxBytes && longest !== longestSides.at(-1)) continue;
    const form = new FormData();
    form.set('alt_text', alt);
    for (const [part, blob] of files) form.set(part, blob, nameOf(name, blob));
    const { value } = await sendOnce<{ id: number; url: string }>(`${calendar}/pictures`, {
      method: 'POST',
      body: form,
      headers: { 'Idempotency-Key': key },
    });
    return { id: value.id, url: value.url, alt };
  }
  throw new Error('A picture has at least one size.');
}

/** Returns a picture in its crop as a `data:` address, to be looked at. */
export function previewOf({ bitmap, crop }: PendingPicture): string {
  const canvas = document.createElement('canvas');
  drawCrop(canvas, bitmap, crop, 640);
  return canvas.toDataURL('image/jpeg');
}

/** Returns the parts of the form: the picture, and those of its sizes that are smaller than it. */
async function filesOf(picture: ImageBitmap, crop: Crop, longest: number, type: string) {
  const source = document.createElement('canvas');
  drawCrop(source, picture, crop, longest);
  const files: [string, Blob][] = [['file', await blobOf(source, type)]];
  for (const [name, { width, height, isCropped }] of pictures.sizes) {
    const { width: wide, height: high } = source;
    const [cutWide, cutHigh] = isCropped ? [Math.min(wide, high), Math.min(wide, high)] : [wide, high];
    const scale = Math.min(width / cutWide, (height ?? Number.POSITIVE_INFINITY) / cutHigh);
    if (scale >= 1) continue;
    const canvas = document.createElement('canvas');
    const part = [(wide - cutWide) / 2, (high - cutHigh) / 2, cutWide, cutHigh] as const;
    draw(canvas, source, part, [cutWide * scale, cutHigh * scale]);
    files.push([`sizes[${name}]`, await blobOf(canvas, type)]);
  }
  return files;
}

/** Returns a picture's bytes: those that may be transparent as WebP, where the browser writes that, and others as JPEG. */
function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const format = type === 'image/jpeg' ? type : 'image/webp';
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The browser cannot write the picture.'))),
      format,
      0.85,
    );
  });
}

/** Returns the name of a file with the ending of its type. */
function nameOf(name: string, { type }: Blob): string {
  return `${name.replace(/\.[^.]*$/, '')}.${type.replace('image/', '').replace('jpeg', 'jpg')}`;
}
