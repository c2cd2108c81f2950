import type { NextConfig } from 'next';

// Your shop needs this file only if it lies within a repository that has packages of its own, as this one does.
export default { turbopack: { root: import.meta.dirname } } satisfies NextConfig;
