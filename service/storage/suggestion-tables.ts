// The columns of uploaded account suggestions, as kysely sees them. The migrations are the schema.
import type { Generated, GeneratedAlways } from 'kysely';

export interface AccountSuggestionUploadTable {
  tenant_id: number;
  upload_id: Generated<number>;
  reference: string | null;
  uploaded_at: Date;
}

export interface AccountSuggestionTable {
  upload_id: number;
  email_address: string;
  phone_number: string | null;
  language_code: string | null;
  first_name: string | null;
  last_name: string | null;
  remarks: string | null;
  pup_uid: string | null;
  search_text: GeneratedAlways<string | null>;
}
