import { expect } from 'chai';
import { textOn } from '../../site/settings/brand-color.ts';
import { parseSetting } from '../../site/settings/settings.ts';

const problemOf = (color: string): string => {
  try {
    parseSetting('brand.color', color);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

const rule = 'It must be empty, or a colour such as "#2563eb" with a contrast of at least 3 on white and on #0f131a.';

describe('brand.color', () => {
  it('is refused with its contrast, the background and a way out', () => {
    expect(problemOf('#ffee00')).to.equal(
      `brand.color cannot be "#ffee00". Its contrast on white is 1.2, too low to see buttons: choose a darker colour. ${rule}`,
    );
    expect(problemOf('#10205a')).to.equal(
      `brand.color cannot be "#10205a". Its contrast on the dark background is 1.2, too low to see buttons: choose a lighter colour. ${rule}`,
    );
    expect(problemOf('blue')).to.equal(`brand.color cannot be "blue". ${rule}`);
  });

  it('agrees with the contrast of WCAG at its limits: #949494 has 3.03 on white, #959595 has 2.99', () => {
    expect([problemOf('#949494'), problemOf('#959595')].map((problem) => problem === '')).to.deep.equal([true, false]);
  });

  it('has white or black text, whichever is easier to read', () => {
    expect(['#2f52c4', '#949494', '#ff6a00', '#b02335'].map(textOn)).to.deep.equal(['#ffffff', '#000000', '#000000', '#ffffff']);
  });
});
