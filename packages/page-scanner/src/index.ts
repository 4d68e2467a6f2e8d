export { environmentOfBrowser, findChromium, loadPlaywright, NoBrowser } from './find-browser.ts'
export { ScanFailed, scanPage, type ScanDeps, type ScannedPage } from './scan-page.ts'
