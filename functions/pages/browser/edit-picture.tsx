/** A picture: chosen, cropped and made smaller in the browser, and uploaded with its sizes. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { PictureView } from '../views/types.ts';
import type { Word } from '../views/words.ts';
import { type ControlProps, may } from './edit-data.ts';
import { type Crop, drawCrop, uploadCrop } from './picture-upload.ts';
import { word } from './session.tsx';

/** Shapes of a crop by the ratios of their sides. */
const shapes = { original: 0, '16:9': 16 / 9, '3:2': 3 / 2, '1:1': 1 } as const;

const sliders: readonly (readonly [keyof Crop, Word, min: number, max: number])[] = [
  ['zoom', 'zoom', 1, 4],
  ['x', 'across', 0, 1],
  ['y', 'down', 0, 1],
];

export function PictureControl({ value, set }: ControlProps) {
  const [chosen, setChosen] = useState<{ readonly file: File; readonly bitmap: ImageBitmap }>();
  const [failure, setFailure] = useState('');
  const picture = value as PictureView | false;
  const choose = async (file: File | undefined) => {
    setFailure('');
    if (file === undefined) return;
    const bitmap = await createImageBitmap(file).catch(() => undefined);
    if (bitmap) setChosen({ file, bitmap });
    else setFailure(word('badPicture'));
  };
  if (chosen)
    return (
      <Cropping
        {...chosen}
        done={(uploaded) => {
          setChosen(undefined);
          if (uploaded) set(uploaded);
        }}
      />
    );
  return (
    <>
      {picture && <img src={picture.url} alt={picture.alt ?? ''} />}
      {may('publish') ? (
        <input
          type="file"
          accept="image/*"
          aria-label={word('choosePicture')}
          onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
        />
      ) : (
        <p class="muted">{word('noUpload')}</p>
      )}
      {picture && (
        <button type="button" class="outline secondary" onClick={() => set(false)}>
          {word('removePicture')}
        </button>
      )}
      {failure && <p class="failing">{failure}</p>}
    </>
  );
}

interface CroppingProps {
  readonly file: File;
  readonly bitmap: ImageBitmap;
  readonly done: (uploaded?: PictureView) => void;
}

function Cropping({ file, bitmap, done }: CroppingProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [crop, setCrop] = useState<Crop>({ ratio: 0, zoom: 1, x: 0.5, y: 0.5 });
  const [alt, setAlt] = useState('');
  const [state, setState] = useState<Error | 'uploading'>();
  useEffect(() => void (canvas.current && drawCrop(canvas.current, bitmap, crop, 640)), [crop]);
  const upload = () => {
    setState('uploading');
    uploadCrop(bitmap, crop, { name: file.name, type: file.type, alt }).then(done, setState);
  };
  return (
    <div class="cropping">
      <canvas ref={canvas} role="img" aria-label={word('preview')} />
      <label>
        {word('altText')}
        <input value={alt} maxLength={250} onInput={({ currentTarget }) => setAlt(currentTarget.value)} />
      </label>
      <div class="fields">
        <label>
          {word('shape')}
          <select onChange={({ currentTarget }) => setCrop({ ...crop, ratio: Number(currentTarget.value) })}>
            {Object.entries(shapes).map(([name, ratio]) => (
              <option key={name} value={ratio}>
                {ratio === 0 ? word('original') : name}
              </option>
            ))}
          </select>
        </label>
        {sliders.map(([name, label, min, max]) => (
          <label key={name}>
            {word(label)}
            <input
              {...{ type: 'range', min, max, step: 0.01, value: crop[name] }}
              onInput={({ currentTarget }) => setCrop({ ...crop, [name]: Number(currentTarget.value) })}
            />
          </label>
        ))}
      </div>
      <div class="actions">
        <button type="button" disabled={state === 'uploading'} onClick={upload}>
          {word(state === 'uploading' ? 'uploading' : 'usePicture')}
        </button>
        <button type="button" class="outline secondary" onClick={() => done()}>
          {word('close')}
        </button>
      </div>
      {state instanceof Error && <p class="failing">{state.message}</p>}
    </div>
  );
}
