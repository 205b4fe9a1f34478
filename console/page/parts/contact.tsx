// How a person is reached: by phone and by mail, and in which language.
import type { PersonView } from '../../find/person-view.ts';

interface ContactProps {
  readonly person: Pick<PersonView, 'emailAddress' | 'phoneNumber'> &
    Partial<Pick<PersonView, 'languageCode'>>;
}

export const Contact = ({ person: { emailAddress, phoneNumber, languageCode } }: ContactProps) => (
  <span class="row">
    {phoneNumber && <a href={`tel:${phoneNumber}`}>{phoneNumber}</a>}
    {emailAddress && <a href={`mailto:${emailAddress}`}>{emailAddress}</a>}
    {languageCode && <span class="soft">{languageName(languageCode)}</span>}
  </span>
);

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

function languageName(code: string): string {
  try {
    return languages.of(code.split(/[-_]/)[0] ?? code) ?? code;
  } catch {
    // Another service may have codes of its own.
    return code;
  }
}
