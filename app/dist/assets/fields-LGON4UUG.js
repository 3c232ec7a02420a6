import{g as a}from"./chunk-DT3TJD5W.js";import"./chunk-HFYI5V5V.js";import"./chunk-5W3B2W5X.js";import"./chunk-ROUUBYRI.js";export{a as default};
