// `npm pack`, after it has packed: the checkout's package.json is back in its place.
import { restoreManifest } from './swapped-manifest.ts';

await restoreManifest();
