// Loaded before a process of the service: its system clock is CLOCK_AHEAD_MS ahead until SIGUSR2 sets it right.
const { now } = Date;
let aheadMs = Number(process.env['CLOCK_AHEAD_MS']);
const shifted = () => now() + aheadMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [shifted()] : args, newTarget),
  get: (target, name) => (name === 'now' ? shifted : Reflect.get(target, name)),
});

process.on('SIGUSR2', () => {
  aheadMs = 0;
});
