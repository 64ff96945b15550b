export { DELETE, GET, POST } from '../../../../../examples/mounts/next.ts';
