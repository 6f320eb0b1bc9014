// Where data leaves a machine.

import { defineProbe } from '../probe.ts';

/** Code and commands that send something. */
export const networkSends = defineProbe(
  /\b(?:requests|httpx|session|client|s|http|aiohttp\.ClientSession\(\))\.(?:post|put|patch|request)\(|\brequests\.get\(|\burlopen\(|\burllib\.request\.Request\(|\bHTTPS?Connection\(|\bsock(?:et)?\.(?:connect|sendto|sendall|create_connection)\(|\bs\.(?:connect|sendall|send)\(|\bsocket\.socket\(|\bfetch\(|\baxios(?:\.(?:post|put|request))?\(|\bhttps?\.request\(|\bXMLHttpRequest\b|\bsendBeacon\(|\bcurl\s[^\n]{0,200}(?:\s-(?:d|F|T|X)\b|--data|--form|--upload-file|\?[\w]{1,20}=|\s-[a-zA-Z]{0,6}[dFT]\s?["'@])|\bwget\s[^\n]{0,160}--post|Invoke-(?:WebRequest|RestMethod)[^\n]{0,160}-(?:Method\s{1,2}(?:Post|Put)|Body|InFile)|\b(?:iwr|irm)\s[^\n]{0,160}-(?:Method|Body)|\.Upload(?:String|Data|File)\(|\bsmtplib\.|\bsendmail\(|\bftplib\.|(?<![\w-])n(?:c|cat)[ \t]{1,3}(?:-[a-z]{1,4}\s{1,3}){0,4}[\w.$-]{4,60}\s{1,3}\d{2,5}|\|\s{0,2}n(?:c|cat)[ \t]|Net::HTTP\.(?:post|new|start)|Faraday\.|curl_exec|curl_setopt\([^\n]{0,40}POST|\bgot\.post\(|\bnet\.(?:connect|createConnection)\(|\bhttp\.Post\(|\bhttp\.NewRequest\(|reqwest::|nodemailer|\/dev\/tcp\/|\brclone (?:copy|sync)|\baws s3 cp\s|\bWebSocket\(|(?<![\w-])scp\s[^\n]{0,120}:/gi,
  {
    needs:
      '--post,-body,-method,.patch,.put,.uploaddata(,.uploadfile(,.uploadstring(,/dev/tcp/,aws s3 cp,axios,client.request(,connect(,curl,faraday.,fetch(,ftplib.,http.,httpconnection(,httpsconnection(,httpx.,invoke-restmetho,invoke-webreques,nc\t,nc ,nc.exe,ncat,net.createconnec,nodemailer,post(,rclone,requests.get(,reqwest::,s.request,s.send(,s.sendall(,scp,sendbeacon(,sendmail(,session.request(,smtplib.,sock.,socket.,urllib.request.r,urlopen(,websocket(,xmlhttprequest',
  },
);

/** Services that collect data from anyone: request bins, chat webhooks, tunnels, paste and drop sites. */
export const dropSites = defineProbe(
  /\b(?:webhook\.site|(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks|requestbin\.(?:com|net|io)|[\w-]{1,40}\.m\.pipedream\.net|[\w-]{1,40}\.ngrok(?:-free)?\.(?:io|app|dev)|[\w-]{1,60}\.trycloudflare\.com|api\.telegram\.org\/bot|transfer\.sh|file\.io\b|0x0\.st|[\w-]{1,60}\.oast\.(?:fun|live|me|online|pro|site)|interact\.sh|[\w-]{1,40}\.burpcollaborator\.net|[\w-]{1,40}\.beeceptor\.com|hookb(?:in\.com|\.in)|postb\.in|pastebin\.com|paste\.(?:ee|rs)|hastebin\.com|glot\.io|rentry\.co|dpaste\.(?:com|org)|ix\.io|termbin\.com|bashupload\.com|temp\.sh|catbox\.moe|gofile\.io|anonfiles\.com|requestcatcher\.com|canarytokens\.(?:com|org)|serveo\.net|localtunnel\.me|loca\.lt|mockbin\.(?:org|io)|[\w.-]{1,40}\.dnslog\.cn|[\w.-]{1,40}\.ceye\.io|[a-z2-7]{16,56}\.onion|localhost\.run|requestrepo\.com|webhook\.cool|typedwebhook\.tools)/gi,
  {
    needs:
      '.beeceptor.com,.burpcollaborato,.ceye.io,.discord,.dnslog.cn,.m.pipedream.net,.ngrok,.oast,.onion,.trycloudflare.c,0x0.st,anonfiles.com,api.telegram.org,bashupload.com,canarytokens.,catbox.moe,discord.com/api/,discordapp.com/a,file.io,glot.io,hastebin.com,hookb,interact.sh,ix.io,loca.lt,localhost.run,localtunnel.me,mockbin.,paste.,pastebin.com,postb.in,rentry.co,requestbin.,requestcatcher.c,requestrepo.com,serveo.net,temp.sh,termbin.com,transfer.sh,webhook.',
  },
);

/** A web address with a numeric host outside this machine and private networks. */
export const numericHosts = defineProbe(
  /(?:\bhttps?:\/\/|\bwss?:\/\/|\bftp:\/\/|\btcp:\/\/|\/dev\/tcp\/|connect\(\s{0,2}\(?\s{0,2}["']|\bn(?:c|cat)[ \t]{1,3}(?:-[a-z]{1,4}\s{1,3}){0,4})(?!(?:127|10|0)\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|1\.1\.1\.1|8\.8\.[84]\.[84]|1\.2\.3\.4|x\.)(?:\d{1,3}\.){3}\d{1,3}\b/gi,
  { needs: '/dev/tcp/,connect(,ftp://,http://,https://,nc\t,nc ,nc.exe,ncat,tcp://,ws://,wss://' },
);

/** Hosts whose names say what they are for. */
export const tellingHosts = defineProbe(
  /\bhttps?:\/\/(?:[\w-]{1,40}\.){0,3}[\w-]{0,30}(?:(?<![a-z])evil(?![a-z])|attacker|exfil|malicious|(?<![a-z0-9])c2(?![a-z0-9])|stealer|hacker(?!-?news|rank|one|noon|earth)|malware(?!bazaar)|payload(?!cms)|implant|rogue|harvest|backdoor)[\w-]{0,30}(?:\.[\w-]{1,30}){0,3}(?::\d{2,5})?(?:\/|\b)|\bhttps?:\/\/[\w.:-]{4,60}\/(?:[\w-]{1,20}\/){0,2}(?:exfil(?:trate)?|steal|stolen|c2|beacon|loot|harvest|implant)\b/gi,
  { needs: 'http://,https://' },
);

/** Free anonymous hosting, and sites for sharing files. */
export const freeHosts = defineProbe(
  /\b(?:[\w-]{1,60}\.){1,4}(?:vercel\.app|netlify\.app|pages\.dev|workers\.dev|onrender\.com|herokuapp\.com|web\.app|firebaseapp\.com|glitch\.me|repl\.co|replit\.app|surge\.sh|fly\.dev|up\.railway\.app|000webhostapp\.com|weebly\.com|wixsite\.com|blogspot\.com|webflow\.io|framer\.app|tiiny\.site|carrd\.co|deno\.dev|lovable\.app|infinityfreeapp\.com|duckdns\.org|sslip\.io|nip\.io)\b|\b(?:www\.)?(?:mediafire\.com|mega\.nz|dropbox\.com\/s|gofile\.io|anonfiles\.com|sendspace\.com|4shared\.com|wetransfer\.com|we\.tl|pixeldrain\.com|workupload\.com|litterbox\.catbox\.moe|files\.catbox\.moe|cdn\.discordapp\.com\/attachments|drive\.google\.com\/uc|sites\.google\.com|telegra\.ph)\b/gi,
  {
    needs:
      '.catbox,000webhostapp.co,4shared.com,anonfiles.com,blogspot.com,carrd.co,cdn.discordapp.c,deno.dev,drive.google.com,dropbox.com/s,duckdns.org,firebaseapp.com,fly.dev,framer.app,glitch.me,gofile.io,herokuapp.com,infinityfreeapp.,lovable.app,mediafire.com,mega.nz,netlify.app,nip.io,onrender.com,pages.dev,pixeldrain.com,repl.co,replit.app,sendspace.com,sites.google.com,sslip.io,surge.sh,telegra.ph,tiiny.site,up.railway.app,vercel.app,we.tl,web.app,webflow.io,weebly.com,wetransfer.com,wixsite.com,workers.dev,workupload.com,www.',
  },
);
