// The oracle's package, of the directory where the script is run.
import { createRequire } from 'node:module';
import { join } from 'node:path';

export default createRequire(join(process.cwd(), 'package.json'))('graphql');
