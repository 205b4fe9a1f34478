// Accounts for the account tests: requests that clash with nobody's, and the answers in which everything is hidden.

let made = 0;

/** A valid request of CreateAccount and CreateOrGetAccount, with an e-mail address that no other call gave. */
export function newAccount(changes: Record<string, unknown> = {}) {
  made += 1;
  return {
    emailAddress: `resident-${made}@example.com`,
    firstName: 'Res',
    lastName: 'Ident',
    pickUpPointUid: 'pup-central',
    ...changes,
  };
}

export const noFlags = {
  canChangeFirstName: null,
  canChangeLastName: null,
  canChangeEmailAddress: null,
  canChangePhoneNumber: null,
  canChangeLanguageCode: null,
  canChangeMainPickUpPoint: null,
  canChangeAddress: null,
  canRemoveAutomatically: null,
  canRemoveManually: null,
};

/** interface, behaviour 3: what an account that the caller cannot manage shows, beside its userUid. */
export const hidden = {
  userName: null,
  canManageUser: false,
  firstName: null,
  lastName: null,
  emailAddress: null,
  phoneNumber: null,
  mainPupUid: null,
  mainPupName: null,
  languageCode: null,
  mailCode: null,
};

export const envelope = { success: true, error: null, message: null };
