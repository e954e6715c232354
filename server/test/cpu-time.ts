/**
 * Starts to count the processor time of this process with all its threads. A busy machine lengthens a wall clock many times and processor
 * time little, so that a limit of it tells slow code from a slow machine.
 * @returns a function that returns the milliseconds since
 */
export function startCpuTime(): () => number {
  const began = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
}
