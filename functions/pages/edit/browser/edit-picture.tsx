/** A picture: chosen, cropped and made smaller in the browser, and uploaded with its sizes when the record is saved. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ControlProps } from '../../common/browser/fields.tsx';
import { Failure, useAttempt } from '../../common/browser/read.tsx';
import { word } from '../../common/browser/session.tsx';
import { Select } from '../../common/views/controls.tsx';
import type { PictureView } from '../../common/views/types.ts';
import type { Word } from '../../common/views/words.ts';
import { PictureLibrary, PictureTexts } from './picture-library.tsx';
import { type Crop, drawCrop, isPending, openPicture, type PendingPicture } from './picture-upload.ts';

const sliders: readonly (readonly [keyof Crop, Word, min: number, max: number])[] = [
  ['zoom', 'zoom', 1, 4],
  ['x', 'across', 0, 1],
  ['y', 'down', 0, 1],
];

export function PictureControl({ value, set }: ControlProps) {
  const [failure, attempt] = useAttempt();
  const [isChoosing, setChoosing] = useState(false);
  if (isPending(value)) return <Cropping picture={value} set={set} drop={() => set(undefined)} />;
  const picture = value as PictureView | false;
  return (
    <>
      {picture && <img src={picture.url} alt={picture.alt ?? ''} />}
      <input
        type="file"
        accept="image/*"
        aria-label={word('choosePicture')}
        onChange={({ currentTarget: { files } }) =>
          files?.[0] && attempt(() => openPicture(files[0] as File).then(set))
        }
      />
      <button type="button" class="outline" aria-haspopup="dialog" onClick={() => setChoosing(true)}>
        {word('fromLibrary')}
      </button>
      {isChoosing && <PictureLibrary choose={set} close={() => setChoosing(false)} />}
      {picture && picture.id !== undefined && <PictureTexts key={picture.id} id={picture.id} set={set} />}
      {picture && (
        <button type="button" class="outline secondary" onClick={() => set(false)}>
          {word('removePicture')}
        </button>
      )}
      <Failure error={failure} />
    </>
  );
}

interface CroppingProps {
  readonly picture: PendingPicture;
  readonly set: (picture: PendingPicture) => void;
  readonly drop: () => void;
}

function Cropping({ picture, set, drop }: CroppingProps) {
  const { bitmap, crop, alt, isDecoration = false } = picture;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => void (canvas.current && drawCrop(canvas.current, bitmap, crop, 640)), [bitmap, crop]);
  // Another crop or text is another upload.
  const replace = (part: Partial<PendingPicture>) => set({ ...picture, ...part, key: crypto.randomUUID() });
  const change = (part: Partial<Crop>) => replace({ crop: { ...crop, ...part } });
  return (
    <div class="cropping">
      <canvas ref={canvas} role="img" aria-label={word('preview')} />
      <label>
        {word('altText')}
        <input
          value={isDecoration ? '' : alt}
          required={!isDecoration}
          disabled={isDecoration}
          maxLength={250}
          onInput={({ currentTarget }) => replace({ alt: currentTarget.value })}
        />
      </label>
      <label>
        <input
          type="checkbox"
          checked={isDecoration}
          onChange={({ currentTarget }) => replace({ isDecoration: currentTarget.checked })}
        />
        {word('decoration')}
      </label>
      <div class="fields">
        <Select
          label={word('shape')}
          options={[
            [0, word('original')],
            [16 / 9, '16:9'],
            [3 / 2, '3:2'],
            [1, '1:1'],
          ]}
          value={crop.ratio}
          onChange={({ currentTarget }) => change({ ratio: Number(currentTarget.value) })}
        />
        {sliders.map(([name, label, min, max]) => (
          <label key={name}>
            {word(label)}
            <input
              type="range"
              min={min}
              max={max}
              step={0.01}
              value={crop[name]}
              onInput={({ currentTarget }) => change({ [name]: Number(currentTarget.value) })}
            />
          </label>
        ))}
      </div>
      <p class="muted">{word('uploadedOnSave')}</p>
      <div class="buttons">
        <button type="button" class="outline secondary" onClick={drop}>
          {word('dropPicture')}
        </button>
      </div>
    </div>
  );
}
