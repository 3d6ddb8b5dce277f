// The worker's end: messages in, answers out.

const engine = new Engine((answer) => self.postMessage(answer));
self.onmessage = ({ data }) => engine.take(data);
