import { expect, test } from 'vitest';
import { checkVrf, proveVrf, vrfValue } from './vrf.ts';

const hex = (text: string) => Buffer.from(text, 'hex');

/** RFC 9381, appendix B.3. */
const vectors = [
  {
    seed: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    text: '',
    proof:
      '8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f26f8a57ccaed74ee1b190bed1f479d9727d2d0f9b005a6e456a35d4fb0daab1268a1b0db10836d9826a528ca76567805',
    value:
      '90cf1df3b703cce59e2a35b925d411164068269d7b2d29f3301c03dd757876ff66b71dda49d2de59d03450451af026798e8f81cd2e333de5cdf4f3e140fdd8ae',
  },
  {
    seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    text: '72',
    proof:
      'f3141cd382dc42909d19ec5110469e4feae18300e94f304590abdced48aed5933bf0864a62558b3ed7f2fea45c92a465301b3bbf5e3e54ddf2d935be3b67926da3ef39226bbc355bdc9850112c8f4b02',
    value:
      'eb4440665d3891d668e7e0fcaf587f1b4bd7fbfe99d0eb2211ccec90496310eb5e33821bc613efb94db5e5b54c70a848a0bef4553a41befc57663b56373a5031',
  },
  {
    seed: 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    key: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    text: 'af82',
    proof:
      '9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf8096bb474e53895c362d8628ee9f9ea3c0e52c7a5c691b6c18c9979866568add7a2d41b00b05081ed0f58ee5e31b3a970e',
    value:
      '645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c452118fec1219202a0edcf038bb6373241578be7217ba85a2687f7a0310b2df19f',
  },
];

test.each(vectors)('the vector of RFC 9381 for the text $text', ({ seed, key, text, proof, value }) => {
  const [secret, publicKey, input] = [hex(seed), hex(key), hex(text)];
  expect(Buffer.from(proveVrf(secret, publicKey, input)).toString('hex')).toBe(proof);
  expect(Buffer.from(vrfValue(secret, publicKey, input)).toString('hex')).toBe(value);
  const checked = checkVrf(publicKey, { text: input, proof: hex(proof) });
  expect(Buffer.from(checked!).toString('hex')).toBe(value);
});

test('a proof of another text, of another key, or with any bit changed proves nothing', () => {
  const [one, other] = vectors as [(typeof vectors)[0], (typeof vectors)[0]];
  const [publicKey, text, proof] = [hex(one.key), hex(one.text), hex(one.proof)];
  expect(checkVrf(publicKey, { text: hex('00'), proof })).toBeUndefined();
  expect(checkVrf(hex(other.key), { text, proof })).toBeUndefined();
  expect(checkVrf(publicKey, { text, proof: proof.subarray(1) })).toBeUndefined();
  expect(checkVrf(publicKey, { text, proof: Buffer.alloc(80) })).toBeUndefined();
  for (let bit = 0; bit < 8 * proof.length; bit += 7) {
    const changed = Buffer.from(proof);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect([bit, checkVrf(publicKey, { text, proof: changed })]).toEqual([bit, undefined]);
  }
  // A key of small order would prove every value.
  expect(checkVrf(hex(`01${'00'.repeat(31)}`), { text, proof })).toBeUndefined();
});
