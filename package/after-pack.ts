// `npm pack`, after it has packed: the checkout's package.json is back in its place. By hand, after a pack
// that was ended in its middle.
import { restoreManifest } from './swapped-manifest.ts';

await restoreManifest();
