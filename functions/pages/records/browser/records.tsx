/** Cases and documents for who works with them: a tree on the left, the selected object on the right. */

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { language, root, SignInBar, signIn, user, word } from '../../common/browser/session.tsx';
import { pageLanguages, words } from '../../common/views/words.ts';
import { ObjectView } from './object-view.tsx';
import { type Place, placeInAddress, useLineage } from './record-kinds.ts';
import { type Found, Search } from './records-search.tsx';
import { Level } from './records-tree.tsx';
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
  // After a change all parts are made again, and so read again.
  const [round, setRound] = useState(0);
  const lineage = useLineage(place, round);
  const [found, setFound] = useState<Found>();
  const title = lineage.objects[0]?.record['title'];
  useEffect(() => {
    document.title = title ? `${title} – ${titleOfPage}` : titleOfPage;
  }, [title]);
  return (
    <div class="case-columns">
      <nav aria-label={word('objects')}>
        <Search show={setFound} />
        <div class="levels">
          {found ? (
            <Level key={JSON.stringify(found)} list={`/${found.collection}`} {...found} lineage={lineage} />
          ) : (
            <Level key="tree" list="/diaries" collection="diaries" lineage={lineage} />
          )}
        </div>
      </nav>
      <div>
        {place ? (
          <ObjectView
            key={`${lineage.path} ${round}`}
            place={place}
            lineage={lineage}
            reload={() => setRound(round + 1)}
          />
        ) : (
          <p>{word('chooseObject')}</p>
        )}
      </div>
    </div>
  );
}
