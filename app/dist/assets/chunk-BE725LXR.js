import{E as i,ba as l,o as e}from"./chunk-3IYA7HZD.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
