// For each rule of trojans.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, upload } from './sample-requests.cases.ts'

export const TROJANS_SAMPLES: RuleSamples = {
  c53755e09e9d4ddc4ca34e4926d1ca42: {
    matching: get('/uploads/c99.php'),
    passing: get('/uploads/shell-collection.jpg'),
  },
  '565a18d328085db572041d10375a4da0': {
    matching: get('/images/a.php?cmd=uname%20-a'),
    passing: get('/images/a.php?cmd=resize&run=1'),
  },
  '69294043e21ae1aadb22cc058762c6e8': {
    matching: upload('/upload', 'a.gif', "GIF89a<?php @eval($_POST['x']);?>"),
    passing: upload('/upload', 'a.xml', '<?xml version="1.0"?><evaluation>5</evaluation>'),
  },
  '828ec24620fe558a67aa60c942604c61': {
    matching: upload('/upload', 'photo.php.jpg', 'x'),
    passing: upload('/upload', 'photo.jpg', 'x'),
  },
  '2675db56ee026805c08236842b55542e': {
    matching: upload('/upload', 'invoice.pdf.exe', 'MZ'),
    passing: upload('/upload', 'invoice.pdf', '%PDF-1.7'),
  },
  '96060458be5d3013cec84200d99674a3': {
    matching: upload('/upload', 'a.gif', 'GIF89a;<?php phpinfo();'),
    passing: upload('/upload', 'a.gif', 'GIF89a;..'),
  },
  defc8cde549724856ed9ea8252e79c3b: {
    matching: get('/', { 'x-cmd': 'id' }),
    passing: get('/', { 'x-correlation-id': 'c' }),
  },
  '645860403338bdca920edf496bfdb89e': {
    matching: form('/a.php', 'x=@eval(base64_decode($_POST[z0]));'),
    passing: form('/a.php', 'x=evaluation+of+base64'),
  },
}
