/** Cases and documents for who works with them: a tree on the left, the selected object on the right. */

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { language, root, SignInBar, signIn, user, word } from '../../common/browser/session.tsx';
import { pageLanguages, words } from '../../common/views/words.ts';
import { Find } from './find.tsx';
import { ObjectView } from './object-view.tsx';
import { type Place, placeInAddress, useLineage } from './record-kinds.ts';
import { Level } from './records-tree.tsx';
import { SaveList } from './save-list.tsx';
import { Technical, TechnicalSwitch, useTechnicalChoice } from './technical.tsx';

const titleOfPage = document.title;
const hint = new URLSearchParams(location.search).get('login_hint');
if (hint !== null && user?.profile.email !== hint) await signIn(hint);
else render(<Records />, root);

function Records() {
  const [place, setPlace] = useState(placeInAddress());
  useEffect(() => addEventListener('hashchange', () => setPlace(placeInAddress())), []);
  const [isTechnical, choose] = useTechnicalChoice();
  return (
    <Technical.Provider value={isTechnical}>
      <div class="toolbar-row">
        <SignInBar />
        <Languages />
        {user && <TechnicalSwitch isOn={isTechnical} choose={choose} />}
      </div>
      {user === null ? <p>{word('recordsWhy')}</p> : <Objects place={place} />}
    </Technical.Provider>
  );
}

/** Links to this page in each language, which stay at the object that is open. */
function Languages() {
  return (
    <nav class="languages" aria-label={word('language')}>
      {pageLanguages.map((other) => (
        <a
          key={other}
          href={`?translation_language=${other}${location.hash}`}
          lang={other}
          aria-current={other === language ? 'true' : undefined}
        >
          {words(other)('ownName')}
        </a>
      ))}
    </nav>
  );
}

function Objects({ place }: { readonly place: Place | undefined }) {
  // After a change all parts are read again; what is typed and where the focus is stays.
  const [round, setRound] = useState(0);
  const lineage = useLineage(place, round);
  const [chosen, setChosen] = useState<string>();
  const choose = (path: string) => {
    setChosen(path);
    // What is open already is not opened again.
    if (path === lineage.path) document.querySelector<HTMLElement>('.case h2')?.focus();
  };
  const title = lineage.objects[0]?.record['title'];
  useEffect(() => {
    document.title = title ? `${title} – ${titleOfPage}` : titleOfPage;
  }, [title]);
  return (
    <div class="case-columns">
      <nav aria-label={word('objects')}>
        <Find choose={choose}>
          <div class="levels">
            <Level list="/diaries" collection="diaries" lineage={lineage} />
          </div>
        </Find>
        <SaveList />
      </nav>
      <div>
        {place ? (
          <ObjectView
            key={lineage.path}
            place={place}
            lineage={lineage}
            isChosen={chosen === lineage.path}
            round={round}
            reload={() => setRound((last) => last + 1)}
          />
        ) : (
          <p>{word('chooseObject')}</p>
        )}
      </div>
    </div>
  );
}
