// Finds the receiver while one types: registered accounts, and suggestions that have no account yet. By keyboard: the arrows
// choose, Enter takes, Escape closes.
import { useEffect, useId, useState } from 'preact/hooks';
import type { PeopleFound, PersonFound } from '../../desk/desk-view.ts';
import { Button } from '../parts/button.tsx';
import { useFocusWhereWrong } from '../parts/field.tsx';
import { getJson, refusalOf } from '../shell/api.ts';

export interface PersonSearchProps {
  readonly person: PersonFound | undefined;
  readonly choose: (person: PersonFound | undefined) => void;
  readonly wrong: string | undefined;
}

// Shorter than a person takes from letter to letter, long enough that a fast one asks once for a word.
const PAUSE_MS = 120;

export function PersonSearch({ person, choose, wrong }: PersonSearchProps) {
  const id = useId();
  const [text, setText] = useState('');
  const { found, problem } = usePeople(person ? '' : text);
  const [at, setAt] = useState(0);
  useFocusWhereWrong(id, wrong);
  const people = found?.people ?? [];
  const isOpen = !person && text.trim() !== '' && found !== undefined;
  const take = (chosen: PersonFound) => {
    choose(chosen);
    setText('');
    setAt(0);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((before) => Math.min(people.length, Math.max(0, before + step)));
    else if (event.key === 'Enter' && isOpen) take(people[at] ?? newPerson(text));
    else if (event.key === 'Escape' && isOpen) setText('');
    else return;
    event.preventDefault();
  };
  if (person)
    return (
      <div class="field">
        <p class="label">Receiver</p>
        <p class="chosen-person">
          <Person person={person} /> <Button press={() => choose(undefined)}>Change</Button>
        </p>
      </div>
    );
  return (
    <div class={wrong ? 'field is-wrong' : 'field'}>
      <label for={id}>Receiver</label>
      <input
        id={id}
        role="combobox"
        autocomplete="off"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        aria-describedby={`${id}-hint`}
        aria-invalid={wrong !== undefined}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <p class="hint" id={`${id}-hint`}>
        any part of a name, an e-mail address or a remark
      </p>
      {problem && <p class="wrong">{problem}</p>}
      {wrong && <p class="wrong">{wrong}</p>}
      <div class="people" role="listbox" id={`${id}-list`} aria-label="People found" hidden={!isOpen}>
        {isOpen &&
          [...people, newPerson(text)].map((each, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys (aria-activedescendant)
            <div
              key={`${each.kind} ${each.emailAddress} ${each.userUid}`}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onClick={() => take(each)}
            >
              {index < people.length ? <Person person={each} /> : <>somebody new: {text}</>}
            </div>
          ))}
      </div>
      {isOpen && !found?.isComplete && <p class="hint">There may be more: type more of the name.</p>}
    </div>
  );
}

function Person({ person }: { readonly person: PersonFound }) {
  const { firstName, lastName, emailAddress, remarks, kind, userUid } = person;
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return (
    <span>
      <strong>{name || emailAddress || userUid}</strong> {name !== '' && emailAddress}{' '}
      <span class="pill">{kind === 'Account' ? 'account' : 'no account yet'}</span>
      {remarks && <span class="soft"> {remarks}</span>}
    </span>
  );
}

const newPerson = (text: string): PersonFound => ({
  ...{ kind: 'Suggestion', userUid: null, firstName: null, lastName: null, phoneNumber: null },
  ...{ emailAddress: text.trim(), languageCode: null, pupUid: null, remarks: null },
});

interface People {
  readonly found?: PeopleFound;
  readonly problem?: string;
}

function usePeople(text: string): People {
  const [people, setPeople] = useState<People>({});
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === '') {
      setPeople({});
      return undefined;
    }
    let isWanted = true;
    const timer = setTimeout(() => {
      getJson<PeopleFound>(`/api/desk/people?text=${encodeURIComponent(wanted)}`).then(
        (found) => isWanted && setPeople({ found }),
        (error) => isWanted && setPeople({ problem: refusalOf(error).message }),
      );
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text]);
  return people;
}
