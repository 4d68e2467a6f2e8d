// Builds the dashboard into the server's dist folder; assets have hashed names, and each has a compressed copy beside it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const outDir = join(root, '../server/dist/dashboard')

/** Every screen is set in these; text that waits for them is laid out twice. */
const FIRST_FONTS = /-latin-wght-normal-[^/]+\.woff2$/

/**
 * What the page would ask for only after its text is laid out. Not the session: its answer may be used after the visitor has
 * signed in by a link, and would end that session.
 */
const preloads: Plugin = {
  name: 'preloads',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => FIRST_FONTS.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
        })),
  },
}

/** Fonts are compressed already. */
const COMPRESSIBLE = /\.(html|js|css|svg)$/

const compressed: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  writeBundle() {
    for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
      if (!COMPRESSIBLE.test(name)) continue
      const bytes = readFileSync(join(outDir, name))
      writeFileSync(join(outDir, `${name}.br`), brotliCompressSync(bytes))
      writeFileSync(join(outDir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
}

export default defineConfig({
  root,
  plugins: [react(), preloads, compressed],
  build: {
    outDir,
    emptyOutDir: true,
    // The content policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
  },
})
