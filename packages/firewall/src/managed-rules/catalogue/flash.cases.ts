// For each rule of flash.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { get, upload } from './sample-requests.cases.ts'

export const FLASH_SAMPLES: RuleSamples = {
  '16b5dd1d61d02badaa3db0901e82aacd': {
    matching: get('/player.swf?playerready=alert(document.cookie)'),
    passing: get('/player.swf?file=/videos/script.mp4'),
  },
  '631eee91dd824ea004c755c0b2101ffc': {
    matching: get('/js/swfupload.swf?movieName=%22]);}catch(e){alert(1)}//'),
    passing: get('/js/swfupload.swf?movieName=SWFUpload_0'),
  },
  ccfe2e9c6ad6aac46cd9fb12bfae115f: {
    matching: get('/player.swf?skin=//192.0.2.66/x.swf'),
    passing: get('/player.swf?skin=/skins/dark.swf'),
  },
  '3047d19fcfaa763623bd8678c1b5d32e': {
    matching: upload('/upload', 'a.jpg', 'CWS\u0009abcdefgh'),
    passing: upload('/upload', 'a.jpg', 'WSC'),
  },
}
