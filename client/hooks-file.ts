// Reads a file of hooks: its form, its secrets, and the expressions that make an event of a request.
import type { Budget } from '../flows/language/expressions/cost.ts';
import {
  type HookDeclaration,
  type HookEvent,
  type HookRequest,
  hookEvents,
  hookIssues,
} from '../flows/language/hook.ts';
import { type HookProof, readHooks, type Secrets } from '../shared/settings/hooks.ts';
import { SettingsFileWrong } from '../shared/settings/settings-file.ts';

export interface ReadHook {
  readonly name: string;
  readonly proof: HookProof;
  readonly declaration: HookDeclaration;
  readonly eventOf: (request: HookRequest, budget?: Budget) => HookEvent | null;
}

// Each attempt of the sender has the id that it gave the first one.
// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression.
const STANDARD_ID = "${headers['webhook-id']}";

/** @param secrets null: they are not read. Throws SettingsFileWrong, which names all errors. */
export function hooksIn(text: string, secrets: Secrets | null): readonly ReadHook[] {
  const all = readHooks(text, secrets).map(({ declaration, ...hook }) => {
    const id = hook.proof.kind === 'standardWebhooks' ? STANDARD_ID : undefined;
    return { ...hook, declaration: { ...(id && { id }), ...declaration } as HookDeclaration };
  });
  const lines = all.flatMap(({ name, declaration }) =>
    hookIssues(declaration).map(({ field, message }) => `hooks.${name}.${field}: ${message}`),
  );
  if (lines.length > 0) throw new SettingsFileWrong(lines);
  return all.map((hook) => ({ ...hook, eventOf: hookEvents(hook.name, hook.declaration) }));
}
