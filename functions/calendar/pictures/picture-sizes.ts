/** The smaller sizes of a picture, which a browser makes and uploads with it: their names, and the box that each fits into. */

import { CodedError } from '../../../shared/errors.ts';

/** Pixels. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

interface Box extends Dimensions {
  /** Whether the size shows a part of the picture. Default: all of it. */
  readonly isCropped?: true;
}

/** The names and boxes of WordPress, in pixels. */
export const sizeBoxes = {
  thumbnail: { width: 150, height: 150, isCropped: true },
  medium: { width: 300, height: 300 },
  medium_large: { width: 768, height: Number.POSITIVE_INFINITY },
  large: { width: 1024, height: 1024 },
  '1536x1536': { width: 1536, height: 1536 },
} as const satisfies Readonly<Record<string, Box>>;

export type SizeName = keyof typeof sizeBoxes;

/** Checks whether a text is the name of a size. */
export function isSizeName(name: string): name is SizeName {
  return Object.hasOwn(sizeBoxes, name);
}

/** Throws `picture-size-invalid` unless a size fits into its box, is smaller than its picture, and has its aspect ratio. */
export function checkSize(name: SizeName, size: Dimensions, picture: Dimensions): void {
  const box: Box = sizeBoxes[name];
  if (size.width > box.width || size.height > box.height)
    throw invalidSize(name, size, `more than ${box.width} x ${box.height} pixels`);
  // Cameras note that a picture is turned, which browsers heed and its dimensions do not.
  const candidates = [picture, { width: picture.height, height: picture.width }];
  const isFitting = (whole: Dimensions) =>
    isSmaller(size, whole) && (box.isCropped === true || hasAspectRatio(size, whole));
  if (!candidates.some(isFitting))
    throw invalidSize(name, size, `no smaller copy of ${picture.width} x ${picture.height} pixels`);
}

/** Throws `picture-size-invalid` for a name that is no size. */
export function unknownSize(name: string): CodedError {
  return invalidSizes(`"${name.slice(0, 50)}" is none of ${Object.keys(sizeBoxes).join(', ')}`);
}

/** Returns the error of a size that came before. */
export function repeatedSize(name: string): CodedError {
  return invalidSizes(`${name} came twice`);
}

function isSmaller(size: Dimensions, whole: Dimensions): boolean {
  const isInside = size.width <= whole.width && size.height <= whole.height;
  return isInside && size.width * size.height < whole.width * whole.height;
}

/** Checks whether one of the sides is within a pixel of what the other one says. */
function hasAspectRatio(size: Dimensions, whole: Dimensions): boolean {
  const height = (size.width * whole.height) / whole.width;
  const width = (size.height * whole.width) / whole.height;
  return Math.abs(size.height - height) <= 1 || Math.abs(size.width - width) <= 1;
}

function invalidSize(name: SizeName, { width, height }: Dimensions, found: string): CodedError {
  return invalidSizes(`${name} has ${width} x ${height} pixels, ${found}`);
}

function invalidSizes(found: string): CodedError {
  return new CodedError('picture-size-invalid', `Cannot store the sizes of the picture: ${found}.`);
}
