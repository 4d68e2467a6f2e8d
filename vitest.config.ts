import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    isolate: false,
    // Limits end tests that hang. A slow machine must never reach them: the slowest test takes seconds on a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
