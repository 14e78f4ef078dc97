//! `weir ab`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use record::{Amount, Load, Protocol, Target, WarmUpPlan};
use report::compat::Ab;

use super::{apply, end, probe, refused, request};
use crate::args::AbArgs;
use crate::commands::bench::Place;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::session::Session;

pub(crate) fn run(args: &AbArgs, session: &Session) -> Result<Exit> {
    if args.version {
        println!(
            "This is weir {}, which takes the command line of ApacheBench",
            env!("CARGO_PKG_VERSION")
        );
        return Ok(Exit::Done);
    }
    if let Some((option, why)) = args.refused.first() {
        return Err(refused(option, why));
    }
    if args.timelimit.is_none() && u64::from(args.concurrency) > args.requests {
        let message = "cannot use a concurrency level greater than the number of requests";
        return Err(Error::new(Exit::Usage, message).hint("raise -n, or lower -c".to_owned()));
    }
    let place = Place::parse(&args.url)?;
    if place.protocol != Protocol::Http1 {
        return Err(refused(
            &args.url,
            "ab speaks HTTP alone; `weir bench` speaks it",
        ));
    }
    let request = request(&place, method(args)?, &headers(args));
    let answer = probe::ask(&place, &request, f64::from(args.timeout))?;
    let server = answer
        .header("server")
        .map(std::borrow::Cow::into_owned)
        .unwrap_or_default();
    let port = match &place.target {
        Target::Tcp(address) => address.port(),
        Target::Unix(_) => 0,
    };
    let host = place
        .host
        .rsplit_once(':')
        .map_or(place.host.as_str(), |(host, _)| host)
        .to_owned();
    let path = place.path.clone();
    let of = Ab {
        server: &server,
        host: &host,
        port,
        path: &path,
        length: answer.body.len() as u64,
        keep_alive: args.keep_alive,
        percentiles: !args.no_percentiles,
        deviations: !args.no_deviations,
    };
    let facts = apply(place, request, answer.status, load(args), session)?;
    println!(
        "This is weir {}, in the format of ApacheBench 2.3\n",
        env!("CARGO_PKG_VERSION")
    );
    println!("Benchmarking {} (be patient).....done\n\n", of.host);
    print!("{}", report::compat::ab(&of, &facts));
    write_csv(args, &facts)?;
    Ok(end(&facts, session))
}

fn write_csv(args: &AbArgs, facts: &record::LoadFacts) -> Result<()> {
    if let Some(file) = &args.csv {
        std::fs::write(file, report::compat::ab_csv(facts)).map_err(|error| {
            let message = format!("cannot write `{}`: {error}", file.display());
            Error::new(Exit::Usage, message).hint("name a place that you may write to".to_owned())
        })?;
    }
    Ok(())
}

fn method(args: &AbArgs) -> Result<&'static str> {
    match args.method.as_deref() {
        None if args.head => Ok("HEAD"),
        None | Some("GET") => Ok("GET"),
        Some("HEAD") => Ok("HEAD"),
        Some(_) => Err(refused("-m", "GET and HEAD alone are sent")),
    }
}

fn headers(args: &AbArgs) -> Vec<(String, String)> {
    let basic = |name: &str, who: &Option<String>| {
        let who = who.as_ref()?;
        Some((name.to_owned(), format!("Basic {}", STANDARD.encode(who))))
    };
    let cookies = (!args.cookie.is_empty()).then(|| ("Cookie".to_owned(), args.cookie.join("; ")));
    let made = [
        basic("Authorization", &args.auth),
        basic("Proxy-Authorization", &args.proxy_auth),
        cookies,
    ];
    args.header
        .iter()
        .cloned()
        .chain(made.into_iter().flatten())
        .collect()
}

fn load(args: &AbArgs) -> Load {
    Load {
        connections: args.concurrency,
        amount: match args.timelimit {
            Some(seconds) => Amount::Seconds(f64::from(seconds)),
            None => Amount::Requests(args.requests),
        },
        warm_up: WarmUpPlan::None,
        keep_alive: args.keep_alive,
        threads: 0,
        timeout: f64::from(args.timeout),
        ..Load::default()
    }
}
