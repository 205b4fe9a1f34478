// What happened in a case. What is still being sent outside changes without the process: then it is read again until that is known. What is
// added to a case that has ended does, too.
import { useEffect, useState } from 'preact/hooks';
import type { CaseHistory } from '../../process/process-view.ts';
import { CHANGED, type QueryResult, useJson } from '../api.ts';

const AGAIN_MS = 5_000;

/** @param of what the history depends on: with another, it is read again */
export function useCaseHistory(path: string, of: string): QueryResult<CaseHistory> {
  const [count, setCount] = useState(0);
  const again = () => setCount((before) => before + 1);
  const history = useJson<CaseHistory>(path, `${of} ${count}`);
  const isPending = history.data?.happened.some((row) => row.isPending === true) === true;
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isPending]);
  useEffect(() => {
    addEventListener(CHANGED, again);
    return () => removeEventListener(CHANGED, again);
  }, []);
  return history;
}
