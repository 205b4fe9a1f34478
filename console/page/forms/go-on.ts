// Enter goes on to the next field, and sends a form only from its button: a scanner, which ends what it reads with Enter, sends
// no half form.

const STOPS = 'input, select, textarea, button.main';

/** Those that can be seen; of radio buttons the one that Tab would reach. */
function stopsOf(form: Element): HTMLElement[] {
  const stops = [...form.querySelectorAll<HTMLElement>(STOPS)].filter(
    (each) =>
      each.getClientRects().length > 0 && !each.closest('details:not([open])') && !each.matches(':disabled'),
  );
  return stops.filter((each) => {
    if (!isRadio(each)) return true;
    const group = stops.filter((other) => isRadio(other) && other.name === each.name) as HTMLInputElement[];
    return each === (group.find(({ checked }) => checked) ?? group[0]);
  });
}

const isRadio = (element: Element): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.type === 'radio';

/** The field behind this one; undefined behind the last. */
export function nextStop(field: Element): HTMLElement | undefined {
  const form = field.closest('form');
  if (!form) return undefined;
  return stopsOf(form).find((each) => field.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING);
}

/** The first field within it that can be seen and is empty. */
export const emptyStop = (within: Element): HTMLElement | undefined =>
  stopsOf(within).find((each) => each instanceof HTMLInputElement && each.value === '');

/** For a form's keydown. */
export function goOnWithEnter(event: KeyboardEvent): void {
  const { target } = event;
  if (event.key !== 'Enter' || event.defaultPrevented || event.isComposing) return;
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  event.preventDefault();
  const chosen = isRadio(target) ? lastOfGroup(target) : target;
  nextStop(chosen)?.focus();
}

const lastOfGroup = (radio: HTMLInputElement): Element =>
  [...(radio.form?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? [])].findLast(
    ({ name }) => name === radio.name,
  ) ?? radio;
