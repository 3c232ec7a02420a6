var t=["source","medium","campaign","term","content"];export{t as a};
