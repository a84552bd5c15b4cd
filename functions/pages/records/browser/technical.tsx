/** Technical details: names, JSON and requests, which a switch shows for the session. */

import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { word } from '../../common/browser/session.tsx';

const storageKey = 'technical-details';

export const Technical = createContext(false);

/** Returns whether technical details are shown. */
export function useTechnical(): boolean {
  return useContext(Technical);
}

/** Returns whether technical details are shown, and the function that changes it for the session. */
export function useTechnicalChoice() {
  const [isTechnical, setTechnical] = useState(sessionStorage.getItem(storageKey) === 'true');
  const choose = (isChosen: boolean) => {
    sessionStorage.setItem(storageKey, String(isChosen));
    setTechnical(isChosen);
  };
  return [isTechnical, choose] as const;
}

interface SwitchProps {
  readonly isOn: boolean;
  readonly choose: (isOn: boolean) => void;
}

export function TechnicalSwitch({ isOn, choose }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
      {word('technical')}
    </label>
  );
}
