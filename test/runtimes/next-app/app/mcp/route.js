export { GET, POST } from '../../../../../examples/mounts/next.ts';
