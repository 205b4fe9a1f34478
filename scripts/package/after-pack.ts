// `npm pack`, after it has packed: the checkout's package.json and README.md are back in their places. By hand, after a pack
// that was ended in its middle.
import { restoreFiles } from './swapped-files.ts';

await restoreFiles();
